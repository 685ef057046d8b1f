import { readFileSync } from 'node:fs';
import { errnoOf } from '#config';

interface ProcessFacts {
  readonly parent: number;
  readonly sessionLeader: number;
  /** In clock ticks since boot: with the pid it names one process for ever. */
  readonly startTime: string;
}

/**
 * The attach name's `client=<session leader>.<parent pid>.<its start time>`, by which a server knows all commands of one shell
 * as one client. Undefined where that says nothing: without a session leader, or when the parent is init.
 */
export function clientTag(proc = '/proc'): string | undefined {
  const self = factsOf(`${proc}/self/stat`);
  if (self === undefined || self.sessionLeader < 1 || self.parent <= 1) return undefined;
  const parent = factsOf(`${proc}/${self.parent}/stat`);
  return parent && `client=${self.sessionLeader}.${self.parent}.${parent.startTime}`;
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
    if (errnoOf(error) !== undefined) return '';
    throw error;
  }
}
