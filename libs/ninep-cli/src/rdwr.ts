import { openMode } from '#ninep';
import { batches } from './batches.js';
import { copyIn, copyOut } from './copy-out.js';
import type { Verb } from './verb.js';

export const rdwr: Verb = {
  usage: 'rdwr PATH',
  about: 'all of standard input as one message, then the answer',
  async run(client, { path, stdin, stdout }, signal) {
    const input = stdin();
    const file = await client.open(path, openMode.readWrite, signal);
    await copyIn(file, batches(input, undefined, signal), signal);
    await copyOut(file, stdout, signal);
    await file.clunk();
  },
};
