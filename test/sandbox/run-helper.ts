import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { parseHelperReport, type HelperReport } from '#sandbox';

export interface HelperOptions {
  readonly helper: string;
  readonly uid?: number;
  readonly stdin?: string;
  /** Handed to the helper as descriptor 5. */
  readonly extra?: number;
  /** A shell's words before the helper's: `trap "" TERM; exec`. */
  readonly through?: string;
}

export interface Outcome {
  readonly output: Buffer;
  readonly text: string;
  readonly reports: readonly HelperReport[];
  readonly last: HelperReport | undefined;
  readonly code: number | null;
}

/** A helper that runs: `output` grows, `outcome` resolves when it has ended and everything is read. */
export interface Running {
  readonly child: ChildProcess;
  readonly reportStream: Readable;
  readonly outputStream: Readable;
  readonly outcome: Promise<Outcome>;
  /** Resolves with the output so far, once it matches. */
  until(pattern: RegExp): Promise<RegExpMatchArray>;
}

export function startHelper(order: Uint8Array, options: HelperOptions): Running {
  const child = spawnHelper(options);
  const [outputStream, orderStream, reportStream] = streamsOf(child);
  const output: Buffer[] = [];
  const lines: Buffer[] = [];
  outputStream.on('data', (chunk: Buffer) => output.push(chunk));
  reportStream.on('data', (chunk: Buffer) => lines.push(chunk));
  // A helper that refuses early closes its end.
  orderStream.on('error', () => orderStream.destroy());
  orderStream.end(order);
  if (child.stdin) child.stdin.end(options.stdin);
  const textNow = (): string => Buffer.concat(output).toString();
  return {
    child,
    reportStream,
    outputStream,
    outcome: outcomeOf(child, output, lines),
    until: (pattern) => waitFor(outputStream, textNow, pattern),
  };
}

export function runHelper(order: Uint8Array, options: HelperOptions): Promise<Outcome> {
  return startHelper(order, options).outcome;
}

function spawnHelper({ helper, uid, stdin, extra, through }: HelperOptions): ChildProcess {
  const [program, args] = through === undefined ? [helper, ['run']] : ['/bin/sh', ['-c', `${through} "$0" run`, helper]];
  return spawn(program, args, {
    env: {},
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit', 'pipe', 'pipe', ...(extra === undefined ? [] : [extra])],
  });
}

function streamsOf(child: ChildProcess): readonly [Readable, Writable, Readable] {
  const [, output, , order, report] = child.stdio;
  if (!(output instanceof Readable) || !(order instanceof Writable) || !(report instanceof Readable)) throw new Error('no pipes');
  return [output, order, report];
}

async function outcomeOf(child: ChildProcess, chunks: readonly Buffer[], lines: readonly Buffer[]): Promise<Outcome> {
  await once(child, 'close');
  const output = Buffer.concat(chunks);
  const reports = Buffer.concat(lines).toString().split('\n').filter(Boolean).map(parseHelperReport);
  return { output, text: output.toString(), reports, last: reports.at(-1), code: child.exitCode };
}

function waitFor(stream: Readable, textNow: () => string, pattern: RegExp): Promise<RegExpMatchArray> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      stream.off('data', look).off('close', closed);
      end();
    };
    const look = (): void => {
      const match = textNow().match(pattern);
      if (match) settle(() => resolve(match));
    };
    const closed = (): void => settle(() => reject(new Error(`output ended without ${pattern}: ${textNow()}`)));
    stream.on('data', look).on('close', closed);
    look();
  });
}
