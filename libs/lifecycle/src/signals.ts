import type { Closable } from './closable.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LIMIT_MS = 10_000;
/** A terminal's Ctrl-C can arrive twice: from the terminal itself and forwarded by the parent. */
const SAME_REQUEST_MS = 1_000;

/**
 * Closes the app on SIGINT, SIGTERM, SIGHUP; the process then ends by itself with 0.
 * A repeat later than a second means that the user will not wait: the process ends at once with 130.
 * What is still open after 10 s is named on stderr and the process ends with 1.
 */
export function runUntilSignal(app: Closable): void {
  let startedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      shutDown(app, signal);
    } else if (performance.now() - startedAt > SAME_REQUEST_MS) {
      process.exit(130);
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function shutDown(app: Closable, signal: NodeJS.Signals): void {
  setTimeout(() => {
    process.stderr.write(`not closed ${LIMIT_MS / 1000} s after ${signal}: ${process.getActiveResourcesInfo().join(' ')}\n`);
    process.exit(1);
  }, LIMIT_MS).unref();
  app.close().catch((error: unknown) => {
    process.stderr.write(`shutdown: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
