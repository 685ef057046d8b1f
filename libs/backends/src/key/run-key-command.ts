import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf, messageOf, visible, type Environment } from '#config';

/** A person may have to be asked. */
const PATIENCE_MS = 60_000;
/** What a command leaves running may hold its output open. */
const GRACE_MS = 200;
const MOST_CHARACTERS = 65_536;
const SHOWN_CHARACTERS = 200;

/** `argv` has at least the program. */
export interface KeyCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** `why` it failed holds nothing of what it has put out as its key. */
export type KeyOutcome = { readonly key: string } | { readonly why: string };

/** The first line of what a command puts out. When it takes too long, or on an abort, it is killed with all that it has started. */
export async function runKeyCommand({ argv, cwd, env }: KeyCommand, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<KeyOutcome> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints] = [new Collected(child.stdout), new Collected(child.stderr)];
  const why = await failureOf(child, signal, patienceMs);
  await Promise.race([Promise.all([output.ended, complaints.ended]), pause(GRACE_MS, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const key = firstLine(output.text);
  if (why === undefined) return key === '' ? { why: 'it has put out nothing' } : { key };
  const said = firstLine(key === '' ? complaints.text : complaints.text.replaceAll(key, '[key]'));
  return { why: said === '' ? why : `${why}: ${visible(said.slice(0, SHOWN_CHARACTERS))}` };
}

/** Undefined when it ended well. */
async function failureOf(child: ChildProcess, signal: AbortSignal, patienceMs: number): Promise<string | undefined> {
  let why: string | undefined;
  const end = (reason: string): void => {
    why ??= reason;
    killGroup(child.pid);
  };
  const abort = (): void => end('nobody waits for it any more');
  const timer = setTimeout(() => end(`it took longer than ${patienceMs / 1_000}s`), patienceMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await once(child, 'exit');
    const code = child.exitCode;
    return why ?? (code === 0 ? undefined : `it failed${code === null ? '' : ` with ${code}`}`);
  } catch (error) {
    return messageOf(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}

function firstLine(text: string): string {
  return (
    text
      .trimStart()
      .split(/[\r\n]/)[0]
      ?.trim() ?? ''
  );
}

class Collected {
  text = '';
  readonly ended: Promise<void>;

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      if (this.text.length < MOST_CHARACTERS) this.text += piece;
    });
    this.ended = new Promise((resolve) => stream.once('close', resolve));
  }
}
