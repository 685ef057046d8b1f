import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'] as const;

/** Hands signals of this process on instead of heeding them, until the returned function is called. */
export function forwardSignals(send: (number: number) => void): () => void {
  const handlers = FORWARDED.map((name) => [name, () => send(constants.signals[name])] as const);
  for (const [name, handler] of handlers) process.on(name, handler);
  return () => handlers.forEach(([name, handler]) => process.off(name, handler));
}
