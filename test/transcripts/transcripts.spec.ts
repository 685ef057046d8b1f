import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NinepServer } from '#ninep';
import { ServedTree } from '#testkit';
import { parseTranscript } from './parse-transcript.js';
import { Player } from './play-transcript.js';

const root = join('test', 'transcripts');
const groups: readonly (readonly [title: string, folder: string])[] = [
  ['a 9P2000 server answers as written in', root],
  ['a 9P2000.L server answers as written in', join(root, 'linux')],
  ['faults of other servers are none of ours:', join(root, 'faults')],
];

describe.each(groups)('%s', (_title, folder) => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));

  it.each(names)('%s', async (name) => {
    const directory = mkdtempSync(join(tmpdir(), 'transcript-'));
    const path = join(directory, 'socket');
    const bugs: unknown[] = [];
    const server = new NinepServer(new ServedTree(), { limits: { maxMessageBytes: 65536 }, onBug: (error) => bugs.push(error) });
    await server.listen({ type: 'unix', path });
    try {
      await new Player(server, { path }).play(parseTranscript(readFileSync(join(folder, name), 'utf8')));
    } finally {
      await server.close();
      rmSync(directory, { recursive: true });
    }
    expect(bugs).toHaveLength(name === 'bugs.txt' ? 2 : 0);
  });
});
