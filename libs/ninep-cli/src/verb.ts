import type { Client } from '#ninep';
import type { CommandLine, Grammar } from './parse-command-line.js';
import type { World } from './world.js';

export type Task = Pick<CommandLine, 'path' | 'target' | 'long' | 'follow'> & Pick<World, 'stdin' | 'stdout'>;

/** One thing to do with one file. Throws what the server or the output says; an abort flushes what is pending. */
export interface Verb extends Grammar {
  readonly usage: string;
  readonly about: string;
  run(client: Client, task: Task, signal: AbortSignal): Promise<void>;
}
