import { getEventListeners, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Exchange } from './exchange.js';

const patience = { idleMs: 80, progressMs: 250 };

function endOf(exchange: Exchange): Promise<void> {
  return new Promise((done) => exchange.signal.addEventListener('abort', () => done()));
}

describe('an exchange', () => {
  it('passes the abort of its caller on, and lets go of it when it is closed', () => {
    const caller = new AbortController();
    const [one, two] = [new Exchange(patience, caller.signal), new Exchange(patience, caller.signal)];
    one.close();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    caller.abort();
    expect([one.cause, two.cause, two.signal.aborted]).toEqual([undefined, 'aborted', true]);
  });

  it('is aborted at once for a caller that has aborted before', () => {
    expect(new Exchange(patience, AbortSignal.abort()).cause).toBe('aborted');
  });

  it('ends when nothing comes', async () => {
    const exchange = new Exchange(patience, new AbortController().signal);
    await exchange.wait(endOf(exchange));
    expect(exchange.cause).toBe('idle');
  });

  it('ends when something comes again and again, but nothing of substance', async () => {
    const exchange = new Exchange(patience, new AbortController().signal);
    while (!exchange.signal.aborted) await exchange.wait(sleep(30));
    expect(exchange.cause).toBe('progress');
  });

  it('goes on while there is progress', async () => {
    const exchange = new Exchange(patience, new AbortController().signal);
    for (let i = 0; i < 15; i += 1) {
      await exchange.wait(sleep(20));
      exchange.progress();
    }
    expect(exchange.signal.aborted).toBe(false);
    exchange.close();
  });

  it('ends when the other side says things of no substance after it was told to hurry', async () => {
    const exchange = new Exchange({ idleMs: 10_000, progressMs: 10_000 }, new AbortController().signal);
    await exchange.wait(sleep(100));
    exchange.shorten(60);
    await exchange.wait(sleep(5));
    expect(exchange.signal.aborted).toBe(false);
    while (!exchange.signal.aborted) await exchange.wait(sleep(20));
    expect(exchange.cause).toBe('progress');
  });

  it('goes on within one wait as long as something of substance is heard', async () => {
    const exchange = new Exchange(patience, new AbortController().signal);
    const talk = setInterval(() => {
      exchange.heard();
      exchange.progress();
    }, 20);
    await exchange.wait(sleep(400));
    expect(exchange.signal.aborted).toBe(false);
    clearInterval(talk);
    const more = setInterval(() => exchange.heard(), 20);
    await exchange.wait(endOf(exchange));
    clearInterval(more);
    expect(exchange.cause).toBe('progress');
  });

  it('is not ended while the event loop is held up and something has come', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    const [peer] = (await once(server, 'connection')) as [Socket];
    const exchange = new Exchange(patience, new AbortController().signal);
    socket.on('data', () => exchange.heard());
    const waiting = exchange.wait(sleep(150));
    peer.write('x');
    for (const until = performance.now() + 100; performance.now() < until;);
    await waiting;
    socket.destroy();
    server.close();
    expect(exchange.cause).toBeUndefined();
  });

  it('keeps the first cause of its end', async () => {
    const caller = new AbortController();
    const exchange = new Exchange(patience, caller.signal);
    await exchange.wait(endOf(exchange));
    caller.abort();
    expect(exchange.cause).toBe('idle');
  });

  it('counts only time in which it waits', async () => {
    const exchange = new Exchange(patience, new AbortController().signal);
    await exchange.wait(sleep(1));
    await sleep(300);
    await exchange.wait(sleep(1));
    expect(exchange.signal.aborted).toBe(false);
    exchange.close();
  });
});
