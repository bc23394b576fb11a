// Leads Node's fetch, http and https through the hop that HTTPS_PROXY names. For Node before 24, which ignores the proxy variables;
// from 24 on NODE_USE_ENV_PROXY=1 does it and this file does nothing. Use: NODE_OPTIONS=--import=file:///…/node-proxy.mjs
import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

const proxyUrl = process.env.HTTPS_PROXY || process.env.https_proxy;

if (proxyUrl && Number(process.versions.node.split('.')[0]) < 24) {
  const proxy = new URL(proxyUrl);
  const authorization =
    'Basic ' + Buffer.from(decodeURIComponent(proxy.username) + ':' + decodeURIComponent(proxy.password)).toString('base64');
  const direct = (process.env.NO_PROXY || '').split(',').map((name) => name.trim().toLowerCase()).filter(Boolean);
  const isDirect = (host) => direct.some((name) => host === name || host.endsWith('.' + name));

  const tunnel = (host, port, callback) => {
    const target = (host.includes(':') ? `[${host}]` : host) + ':' + port;
    const request = http.request({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: 'CONNECT',
      path: target,
      headers: { Host: target, 'Proxy-Authorization': authorization },
      agent: false,
    });
    request.once('connect', (answer, socket) => {
      if (answer.statusCode === 200) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new Error(`the hop refuses ${target}: ${answer.statusCode} ${answer.headers['proxy-status'] || ''}`));
      }
    });
    request.once('error', callback);
    request.end();
  };

  const connect = ({ hostname, host, protocol, port, servername }, callback) => {
    const name = (hostname || host).replace(/^\[|\]$/g, '');
    const secure = protocol === 'https:';
    tunnel(name, port || (secure ? 443 : 80), (failure, socket) => {
      if (failure || !secure) {
        callback(failure, socket);
        return;
      }
      const safe = tls.connect({ socket, servername: servername || name, ALPNProtocols: ['http/1.1'] });
      safe.once('secureConnect', () => callback(null, safe));
      safe.once('error', callback);
    });
  };

  class TunnelAgent extends https.Agent {
    createConnection(options, callback) {
      if (isDirect(options.host)) {
        return super.createConnection(options, callback);
      }
      connect({ host: options.host, protocol: 'https:', port: options.port, servername: options.servername }, callback);
      return undefined;
    }
  }
  https.globalAgent = new TunnelAgent({ keepAlive: true });

  // fetch is loaded on first touch; its dispatcher's class is then reachable without a package.
  void globalThis.Request;
  const slot = Symbol.for('undici.globalDispatcher.1');
  const usual = globalThis[slot];
  if (usual) {
    const through = new usual.constructor({ connect });
    const dispatch = (options, handler) =>
      (isDirect(new URL(options.origin).hostname) ? usual : through).dispatch(options, handler);
    globalThis[slot] = new Proxy(usual, {
      get: (target, name) => (name === 'dispatch' ? dispatch : Reflect.get(target, name)),
    });
  }
}
