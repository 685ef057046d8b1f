import { openMode } from '#ninep';
import { copyOut, follow } from './copy-out.js';
import { CommandError } from './errors.js';
import type { Verb } from './verb.js';

export const read: Verb = {
  usage: 'read [-f] PATH',
  about: 'the file to standard output; -f: go on with what is added',
  flags: ['follow'],
  async run(client, { path, follow: isFollowed, stdout }, signal) {
    const file = await client.open(path, openMode.read, signal);
    if (file.isDirectory) throw new CommandError('is a directory; list it with ls');
    if (isFollowed) await follow(file, stdout, signal);
    else await copyOut(file, stdout, signal);
    await file.clunk();
  },
};
