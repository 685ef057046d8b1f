import { readFileSync } from 'node:fs';

interface ProcessFacts {
  readonly parent: number;
  readonly sessionLeader: number;
  /** In clock ticks since boot: with the pid it names one process for ever. */
  readonly startTime: string;
}

/**
 * The tag `<session leader>.<parent pid>.<its start time>` of a process (its number, or `self`), by which a
 * server knows all commands of one shell as one client. Undefined where that says nothing: without a
 * session leader, when the parent is init, or for a process that is gone.
 */
export function clientTag(pid: number | 'self', proc = '/proc'): string | undefined {
  const facts = factsOf(`${proc}/${pid}/stat`);
  if (facts === undefined || facts.sessionLeader < 1 || facts.parent <= 1) return undefined;
  const parent = factsOf(`${proc}/${facts.parent}/stat`);
  return parent && `${facts.sessionLeader}.${facts.parent}.${parent.startTime}`;
}

/** The program's name, in parentheses, may hold anything; the fields after the last one are plain (proc(5): 4, 6 and 22). */
function factsOf(file: string): ProcessFacts | undefined {
  const text = contentOf(file);
  const [, parent, , sessionLeader, ...more] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTime = more[15];
  return startTime === undefined ? undefined : { parent: Number(parent), sessionLeader: Number(sessionLeader), startTime };
}

/** Empty for a process that is gone, or hidden from us. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'syscall' in error) return '';
    throw error;
  }
}
