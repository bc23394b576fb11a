// Calls that server in every way there is, through the proxy that the environment names, and prints what it saw as one line of JSON.
// Arguments: HOST:PORT of the server, file with the roots to trust.
import { readFileSync } from 'node:fs';
import grpc from '@grpc/grpc-js';

const [target, roots] = process.argv.slice(2);
const client = new grpc.Client(target, grpc.credentials.createSsl(readFileSync(roots)));
const bytes = (value) => value;
const path = (name) => `/test.Calls/${name}`;
const soon = (options = {}) => ({ deadline: Date.now() + 30_000, ...options });
const wait = (millis) => new Promise((next) => setTimeout(next, millis));
const seen = {};

const mine = new grpc.Metadata();
mine.set('authorization', 'Bearer of the agent');

function outcome(call) {
  return new Promise((done) => {
    call.on('status', (value) => {
      done({ code: value.code, details: value.details, cost: value.metadata.get('x-cost') });
    });
  });
}

async function unary(name, text) {
  const result = {};
  await new Promise((done) => {
    const call = client.makeUnaryRequest(path(name), bytes, bytes, Buffer.from(text), mine, soon(), (error, answer) => {
      result.answer = answer?.toString();
    });
    call.on('status', (status) => {
      Object.assign(result, { code: status.code, details: status.details, cost: status.metadata.get('x-cost') });
      done();
    });
  });
  return result;
}

seen.unary = await unary('Unary', 'hello');
seen.large = await unary('Unary', 'x'.repeat(3_000_000));
seen.large.answer = seen.large.answer?.length;
seen.fail = await unary('Fail', 'hello');
seen.denied = await unary('Denied', 'hello');

{
  const call = client.makeServerStreamRequest(path('Down'), bytes, bytes, Buffer.from('go'), mine, soon());
  const late = [];
  call.on('data', (message) => late.push(Date.now() - Number(message.toString().split(' at ')[1])));
  seen.down = { ...(await outcome(call)), late };
}

{
  let answer;
  const call = client.makeClientStreamRequest(path('Up'), bytes, bytes, mine, soon(), (error, value) => {
    answer = value?.toString();
  });
  const over = outcome(call);
  for (let i = 0; i < 40; i++) {
    if (!call.write(Buffer.alloc(100_000, i))) await new Promise((next) => call.once('drain', next));
  }
  call.end();
  seen.up = { ...(await over), answer };
}

{
  const call = client.makeBidiStreamRequest(path('Both'), bytes, bytes, mine, soon());
  const over = outcome(call);
  const late = [];
  // Nothing is said at first: the call has to begin all the same.
  await wait(700);
  for (let i = 0; i < 4; i++) {
    const said = Date.now();
    const echo = new Promise((next) => call.once('data', next));
    call.write(Buffer.from(`message ${i}`));
    await echo;
    late.push(Date.now() - said);
    await wait(1000);
  }
  call.end();
  seen.both = { ...(await over), late };
}

{
  const call = client.makeServerStreamRequest(path('Wait'), bytes, bytes, Buffer.from('go'), mine, soon());
  call.on('error', () => {});
  const over = outcome(call);
  await new Promise((next) => call.once('data', next));
  call.cancel();
  seen.cancelled = await over;
}

{
  const call = client.makeServerStreamRequest(path('Wait'), bytes, bytes, Buffer.from('go'), mine, { deadline: Date.now() + 700 });
  call.on('error', () => {});
  call.on('data', () => {});
  seen.deadline = await outcome(call);
}

console.log(JSON.stringify(seen).replace(/[^ -~]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')));
client.close();
