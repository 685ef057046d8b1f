import type { Socket } from 'node:net';
import type { Message, MessageBus } from 'dbus-next';
import { messageOf } from '#config';
import { BusError } from './bus-error.js';

const LIMIT_MS = 10_000;

export interface GreetingOptions {
  readonly isError: (message: Message) => boolean;
  readonly signal: AbortSignal;
}

/** Resolves when the bus has given us a name of our own. Rejects with BusError, hung up, when it does not, or on abort. */
export function greeting(bus: MessageBus, stream: Socket, { isError, signal }: GreetingOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (why: string, level: 'debug' | 'warn' = 'warn'): void => {
      if (isSettled) return;
      settle();
      reject(new BusError(why, level));
      setImmediate(() => stream.destroy()); // not now: the library may be about to write to it
    };
    const onAbort = (): void => fail('the session bus is not waited for', 'debug');
    const timer = setTimeout(() => fail('the session bus does not answer'), LIMIT_MS);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    bus.on('error', (error: unknown) => fail(`the session bus cannot be reached: ${messageOf(error)}`, 'debug'));
    bus.on('message', (message) => {
      if (isSettled || !isError(message)) return;
      fail(`the session bus refuses us: ${String(message.body[0])}`);
      throw new BusError('refused'); // the library would end the process over a refused greeting, if it heard of it
    });
    stream.once('close', () => fail('the session bus hangs up'));
    bus.once('connect', () => {
      settle();
      resolve();
    });
  });
}
