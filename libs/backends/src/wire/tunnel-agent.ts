import { request as httpRequest, type ClientRequestArgs } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import type { Proxy } from './proxy.js';

type Done = (error: Error | null, stream?: Duplex) => void;

/** Options of a request. Node keeps `signal` from whoever connects. */
export interface TunnelOptions extends RequestOptions {
  readonly tunnelSignal?: AbortSignal | undefined;
}

/** Connections to servers through a tunnel that a proxy opens. A request that is aborted meanwhile takes it along. */
export class TunnelAgent extends Agent {
  constructor(private readonly proxy: Proxy) {
    super({ keepAlive: true });
  }

  override createConnection(options: TunnelOptions & ClientRequestArgs, done: Done): null {
    const host = options.host ?? '';
    const servername = isIP(host) > 0 ? '' : host;
    this.open(options, (error, socket) => {
      if (socket) done(null, connect({ socket, servername, host }));
      else done(error);
    });
    return null;
  }

  private open({ host, port, tunnelSignal: signal }: TunnelOptions, done: Done): void {
    const { url, headers } = this.proxy;
    const target = `${isIP(host ?? '') === 6 ? `[${host}]` : host}:${port}`;
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let isOver = false;
    const end = (error: Error | null, socket?: Duplex): void => {
      if (!isOver) done(error, socket);
      isOver = true;
    };
    const fail = (why: string): void => end(new Error(`the proxy ${url.host}${why}`));
    const whole = { host: target, ...headers };
    request(url, { method: 'CONNECT', path: target, headers: whole, agent: false, ...(signal && { signal }) })
      .once('connect', ({ statusCode: status = 0, statusMessage = '' }, socket, begun) => {
        socket.unshift(begun);
        if (status >= 200 && status < 300) return end(null, socket);
        socket.destroy();
        fail(` opens no way to ${target}: ${status} ${statusMessage}`.trimEnd());
      })
      // What comes after the first is of a connection that somebody else has by then, or nobody any more.
      .on('error', (error) => fail(`: ${error.message}`))
      .end();
  }
}
