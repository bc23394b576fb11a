// A gRPC server that writes down what it got. Messages are bytes: what is on the wire is five bytes of head and then the message.
// Arguments: file for the port, certificate chain, key, file for one line of JSON per call.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import grpc from '@grpc/grpc-js';

const [portFile, chain, key, log] = process.argv.slice(2);

const bytes = (value) => value;
const method = (path, requestStream, responseStream) => ({
  path: `/test.Calls/${path}`,
  requestStream,
  responseStream,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
});

function begun(call) {
  return { method: call.getPath(), authorization: call.metadata.get('authorization'), hash: createHash('sha256'), cancelled: false };
}

function take(entry, message) {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  entry.hash.update(head).update(message);
}

function ended(entry) {
  appendFileSync(log, JSON.stringify({ ...entry, hash: entry.hash.digest('hex'), at: Date.now() }) + '\n');
}

const trailer = () => {
  const metadata = new grpc.Metadata();
  metadata.set('x-cost', '42');
  return metadata;
};

const server = new grpc.Server();
server.addService(
  {
    Unary: method('Unary', false, false),
    Fail: method('Fail', false, false),
    Down: method('Down', false, true),
    Up: method('Up', true, false),
    Both: method('Both', true, true),
    Wait: method('Wait', false, true),
  },
  {
    Unary(call, answer) {
      const entry = begun(call);
      take(entry, call.request);
      ended(entry);
      answer(null, Buffer.concat([Buffer.from('re: '), call.request]), trailer());
    },
    Fail(call, answer) {
      answer({ code: grpc.status.NOT_FOUND, details: 'nothing – here', metadata: trailer() });
    },
    async Down(call) {
      for (let i = 0; i < 4; i++) {
        call.write(Buffer.from(`message ${i} at ${Date.now()}`));
        await new Promise((next) => setTimeout(next, 500));
      }
      call.end(trailer());
    },
    Up(call, answer) {
      const entry = begun(call);
      let count = 0;
      call.on('data', (message) => {
        count++;
        take(entry, message);
      });
      call.on('end', () => {
        ended(entry);
        answer(null, Buffer.from(String(count)), trailer());
      });
    },
    Both(call) {
      const entry = begun(call);
      call.on('data', (message) => {
        take(entry, message);
        call.write(message);
      });
      call.on('end', () => {
        ended(entry);
        call.end(trailer());
      });
    },
    Wait(call) {
      const entry = begun(call);
      call.on('cancelled', () => {
        entry.cancelled = true;
        ended(entry);
      });
      call.write(Buffer.from('begun'));
    },
  },
);
const credentials = grpc.ServerCredentials.createSsl(null, [{ cert_chain: readFileSync(chain), private_key: readFileSync(key) }]);
server.bindAsync('127.0.0.1:0', credentials, (error, port) => {
  if (error) throw error;
  writeFileSync(`${portFile}.new`, String(port));
  writeFileSync(portFile, String(port));
});
