import { openMode } from '#ninep';
import { batches } from './batches.js';
import { copyIn } from './copy-out.js';
import type { Verb } from './verb.js';

const SILENCE_MS = 100;

export const write: Verb = {
  usage: 'write PATH',
  about: 'standard input to the file, sent after 100 ms of silence',
  async run(client, { path, stdin }, signal) {
    const input = stdin();
    const file = await client.open(path, openMode.write | openMode.truncate, signal);
    await copyIn(file, batches(input, SILENCE_MS, signal), signal);
    await file.clunk(); // a message takes effect here, so its failure comes here
  },
};
