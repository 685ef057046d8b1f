import { copyOut } from './copy-out.js';
import type { Verb } from './verb.js';

const OREAD = 0;

export const read: Verb = {
  usage: 'read PATH',
  about: 'the file to standard output, as it comes, to its end',
  async run(client, { path, stdout }, signal) {
    const file = await client.open(path, OREAD, signal);
    await copyOut(file, stdout, signal);
    await file.clunk();
  },
};
