import { openMode } from '#ninep';
import { batches } from './batches.js';
import { copyIn, copyOut } from './copy-out.js';
import type { Verb } from './verb.js';

export const rdwr: Verb = {
  usage: 'rdwr PATH',
  about: 'all of standard input as one message, then the answer to its end',
  async run(client, { path, stdin, stdout }, signal) {
    const file = await client.open(path, openMode.readWrite, signal);
    await copyIn(file, batches(stdin, undefined, signal), signal);
    await copyOut(file, stdout, signal);
    await file.clunk();
  },
};
