// Talks to an echo through a tunnel of the hop, and says what it saw.
import http from 'node:http';
import tls from 'node:tls';
import { WebSocket } from 'ws';

const { HOST, PORT, TOKEN, HOP, CA } = process.env;
const connect = http.request({
  host: '127.0.0.1', port: HOP, method: 'CONNECT', path: `${HOST}:${PORT}`,
  headers: { 'Proxy-Authorization': 'Basic ' + Buffer.from('task:' + TOKEN).toString('base64') },
});
connect.end();
connect.once('connect', (answer, raw) => {
  if (answer.statusCode !== 200) throw new Error('CONNECT: ' + answer.statusCode);
  const socket = new WebSocket(`wss://${HOST}:${PORT}/ws/x`, ['realtime', 'openai-insecure-api-key.none'], {
    createConnection: () => tls.connect({ socket: raw, servername: HOST, ca: CA }),
  });
  const half = Buffer.alloc(512 * 1024, 'a');
  let pong = false;
  socket.once('open', () => {
    console.log('protocol', socket.protocol, 'extensions', JSON.stringify(socket.extensions));
    socket.ping('there?');
    socket.send(half, { fin: false });
    socket.send(half, { fin: true });
  });
  socket.once('pong', data => { pong = String(data) === 'there?'; });
  socket.once('message', data => {
    console.log('message', data.length, data.every(b => b === 97), 'pong', pong);
    socket.close(1000, 'done');
  });
  socket.once('close', (code, reason) => console.log('closed', code, String(reason)));
});
