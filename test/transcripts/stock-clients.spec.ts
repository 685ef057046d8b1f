import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NinePStrategy, secretDoor } from '#transport-ninep';
import { kindsTree } from './kinds-tree.js';
import { parseTranscript } from './parse-transcript.js';
import { Player } from './play-transcript.js';

const folder = join('test', 'transcripts', 'clients');
const transcripts = readdirSync(folder).filter((name) => name.endsWith('.txt'));

describe('the kinds of files serve stock clients as written in', () => {
  it.each(transcripts)('%s', async (name) => {
    const directory = mkdtempSync(join(tmpdir(), 'clients-'));
    const path = join(directory, 'socket');
    const bugs: unknown[] = [];
    const address = name === '9p-key.txt' ? secretDoor(`unix!${path}`, 'open-sesame') : `unix!${path}`;
    const server = new NinePStrategy(kindsTree(), { listen: [address], owner: 'owner', onBug: (error) => bugs.push(error) });
    try {
      expect(await new Promise((resolve) => server.listen(resolve))).toBeUndefined();
      await new Player(server, path).play(parseTranscript(readFileSync(join(folder, name), 'utf8')));
    } finally {
      await server.close();
      rmSync(directory, { recursive: true });
    }
    expect(bugs).toEqual([]);
  });
});
