// Speaks the wire formats that the clients under test expect. Arguments: port file, certificate chain, key, log of what was received.
import https from 'node:https';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

const [portFile, chain, key, log] = process.argv.slice(2);
const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
const json = (res, value, status = 200) => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
};
const events = async (res, list) => {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of list) {
    res.write((event ? `event: ${event}\n` : '') + `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    await sleep(20);
  }
  res.end();
};

function openai(res, asked) {
  const words = ['Hel', 'lo ', 'there'];
  const base = { id: 'chatcmpl-1', created: 1, model: asked.model };
  if (!asked.stream) {
    return json(res, { ...base, object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }] });
  }
  const chunks = words.map((content) => ({ data: { ...base, object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: null }] } }));
  return events(res, [...chunks, { data: '[DONE]' }]);
}

function anthropic(res, asked) {
  const words = ['Hel', 'lo ', 'there'];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: asked.model, content: [], stop_reason: null,
    stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  if (!asked.stream) {
    return json(res, { ...message, content: [{ type: 'text', text: words.join('') }], stop_reason: 'end_turn' });
  }
  const step = (type, more) => ({ event: type, data: { type, ...more } });
  return events(res, [
    step('message_start', { message }),
    step('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...words.map((text) => step('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    step('content_block_stop', { index: 0 }),
    step('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } }),
    step('message_stop', {}),
  ]);
}

const sessions = new Map();
async function mcp(req, res, asked) {
  let transport = sessions.get(req.headers['mcp-session-id']);
  if (!transport) {
    if (!isInitializeRequest(asked)) return json(res, { error: 'no session' }, 404);
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    const server = new McpServer({ name: 'origin', version: '1.0.0' }, { capabilities: { logging: {} } });
    server.registerTool('greet', { description: 'Greets' }, async (extra) => {
      await server.server.sendLoggingMessage({ level: 'info', data: 'on its way' }, extra.sessionId);
      return { content: [{ type: 'text', text: 'hello' }] };
    });
    await server.connect(transport);
  }
  await transport.handleRequest(req, res, asked);
}

const server = https.createServer({ cert: readFileSync(chain), key: readFileSync(key) }, async (req, res) => {
  const pieces = [];
  for await (const piece of req) pieces.push(piece);
  const body = Buffer.concat(pieces).toString();
  appendFileSync(log, JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }) + '\n');
  const asked = body ? JSON.parse(body) : undefined;
  if (req.url === '/v1/chat/completions') return openai(res, asked);
  if (req.url.startsWith('/v1/messages')) return anthropic(res, asked);
  if (req.url === '/mcp') return mcp(req, res, asked);
  if (req.url.startsWith('/repos/acme/site/pulls') && req.method === 'POST') return json(res, { number: 7, ...asked }, 201);
  if (req.url.startsWith('/repos/acme/site/issues')) {
    const page = Number(new URL(req.url, 'https://x').searchParams.get('page') ?? 1);
    if (page < 3) res.setHeader('link', `<https://${req.headers.host}/repos/acme/site/issues?per_page=2&page=${page + 1}>; rel="next"`);
    return json(res, [{ number: page * 2 - 1 }, { number: page * 2 }]);
  }
  return json(res, { message: 'Not Found' }, 404);
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(portFile + '.new', String(server.address().port));
  renameSync(portFile + '.new', portFile);
});
process.stdin.on('end', () => process.exit(0)).resume();
