import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '#config';

/** Rounds that find nobody are the last; a tree that forks as fast as it is killed must not keep the server busy for ever. */
const MAX_ROUNDS = 100;
/** Until a descriptor may be free again. */
const RETRY_MS = 1000;

/** How what a run has started is recognised once its helper can no longer tell. */
export interface RunMark {
  /** `NAME=value` in the environment that every process of the run inherits. */
  readonly variable: string;
  /** The tool's process group and session; undefined when it is not known to have started. */
  readonly group: number | undefined;
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

/**
 * Kills what a helper that died by force has left behind: whoever carries the variable, is in the tool's
 * session, or descends from such a process. Who has shed the variable, the session and its parent escapes. When this process
 * has no descriptor left to look with, it looks again later.
 */
export function killOrphans(mark: RunMark): void {
  try {
    killMembers(mark);
  } catch (error) {
    if (!['EMFILE', 'ENFILE'].includes(errnoOf(error) ?? '')) throw error;
    setTimeout(() => killOrphans(mark), RETRY_MS).unref();
  }
}

function killMembers(mark: RunMark): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = membersOf(mark);
    for (const { pid } of left) kill(pid);
    if (left.length === 0) return;
  }
}

function membersOf({ variable, group }: RunMark): readonly Seen[] {
  const all = processes();
  const found = new Set(all.filter(({ pid, session }) => session === group || carries(pid, variable)));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    for (const one of all) if (pids.has(one.parent)) found.add(one);
  }
  return [...found];
}

function processes(): readonly Seen[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? look(Number(name)) : []));
}

/** Nothing for a process that is gone or a zombie. Fields 3 to 6 of stat stand behind the last bracket: the name may hold anything. */
function look(pid: number): readonly Seen[] {
  const stat = read(`/proc/${pid}/stat`);
  const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || state === 'Z' || state === 'X') return [];
  return [{ pid, parent: Number(parent), session: Number(session) }];
}

function carries(pid: number, variable: string): boolean {
  return read(`/proc/${pid}/environ`).split('\0').includes(variable);
}

/** Empty when the process is gone or not ours to look at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return '';
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
  }
}
