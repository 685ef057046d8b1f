import type { Stat } from '#ninep';
import { modeText } from './mode-text.js';
import type { Verb } from './verb.js';

export const stat: Verb = {
  usage: 'stat PATH',
  about: 'what is known of a file, one key=value a line',
  async run(client, { path, stdout }, signal) {
    await stdout.write(statText(await client.stat(path, signal)));
  },
};

function statText({ name, mode, length, mtime, uid, gid, muid, qid }: Stat): string {
  const facts = {
    name,
    mode: modeText(mode),
    length,
    mtime: new Date(mtime * 1000).toISOString(),
    uid,
    gid,
    muid,
    qid: `${qid.type.toString(16)}.${qid.path}.${qid.version}`,
  };
  return Object.entries(facts)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}
