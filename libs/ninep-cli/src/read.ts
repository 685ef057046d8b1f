import { openMode } from '#ninep';
import { copyOut } from './copy-out.js';
import type { Verb } from './verb.js';

export const read: Verb = {
  usage: 'read PATH',
  about: 'the file to standard output, as it comes, to its end',
  async run(client, { path, stdout }, signal) {
    const file = await client.open(path, openMode.read, signal);
    await copyOut(file, stdout, signal);
    await file.clunk();
  },
};
