import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf, messageOf, visible, type Environment } from '#config';

/** A person may have to be asked. */
const PATIENCE_MS = 60_000;
/** What a command leaves running may hold its output open. */
const GRACE_MS = 200;
const MOST_CHARACTERS = 65_536;
/** Nobody puts out so much who has a key to tell. */
const FLOOD_CHARACTERS = 8 * 1024 * 1024;
const READ_CHARACTERS = 4_096;
const SHOWN_CHARACTERS = 200;
const SHORTEST_SECRET = 4;

/** `argv` has at least the program. */
export interface KeyCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** `why` it failed holds nothing of what it has put out beside its complaints. */
export type KeyOutcome = { readonly key: string } | { readonly why: string };

/** The first line of what a command puts out. When it takes too long, puts out too much, or on an abort, it is killed with all that it has started. */
export async function runKeyCommand(command: KeyCommand, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<KeyOutcome> {
  const child = started(command);
  if ('why' in child) return child;
  const flood = new AbortController();
  const output = new Collected(child.stdout, flood);
  const complaints = new Collected(child.stderr, flood);
  const why = await failureOf(child, { signal, flood: flood.signal, patienceMs });
  await Promise.race([Promise.all([output.ended, complaints.ended]), pause(GRACE_MS, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const key = firstLine(output.text);
  if (why === undefined) return key === '' ? { why: 'it has put out nothing' } : { key };
  const said = withoutLines(firstLine(complaints.text).slice(0, READ_CHARACTERS), output.text);
  return { why: said === '' ? why : `${why}: ${visible(said.slice(0, SHOWN_CHARACTERS))}` };
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Some failures are thrown at once, with a text that may show an argument. */
function started({ argv, cwd, env }: KeyCommand): Child | { readonly why: string } {
  const [program = '', ...args] = argv;
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return { why: `it cannot be started: ${errnoOf(error) ?? 'it is no command'}` };
  }
}

interface Limits {
  readonly signal: AbortSignal;
  readonly flood: AbortSignal;
  readonly patienceMs: number;
}

/** Undefined when it ended well. */
async function failureOf(child: ChildProcess, { signal, flood, patienceMs }: Limits): Promise<string | undefined> {
  let why: string | undefined;
  const end = (reason: string): void => {
    why ??= reason;
    killGroup(child.pid);
  };
  const abort = (): void => end('nobody waits for it any more');
  const timer = setTimeout(() => end(`it took longer than ${patienceMs / 1_000}s`), patienceMs);
  signal.addEventListener('abort', abort, { once: true });
  flood.addEventListener('abort', () => end('it puts out too much'), { once: true });
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

/** Which of the lines is the key is not known where a command has failed. */
function withoutLines(text: string, output: string): string {
  const lines = new Set(output.split(/[\r\n]/).map((line) => line.trim()));
  const longest = [...lines].filter(({ length }) => length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
  return longest.reduce((left, line) => left.replaceAll(line, '[key]'), text);
}

class Collected {
  text = '';
  readonly ended: Promise<void>;
  private characters = 0;

  constructor(stream: Readable, flood: AbortController) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      this.characters += piece.length;
      if (this.text.length < MOST_CHARACTERS) this.text += piece;
      if (this.characters > FLOOD_CHARACTERS) flood.abort();
    });
    this.ended = new Promise((resolve) => stream.once('close', resolve));
  }
}
