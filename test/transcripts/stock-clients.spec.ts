import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guestDoor, NinePStrategy, secretDoor, type Door } from '#transport-ninep';
import { kindsTree } from './kinds-tree.js';
import { parseTranscript } from './parse-transcript.js';
import { Player } from './play-transcript.js';

const folder = join('test', 'transcripts', 'clients');
const transcripts = readdirSync(folder).filter((name) => name.endsWith('.txt'));

/** Where a client of this name comes in: those over TCP say so in their names. */
function entrance(name: string, path: string): string | Door {
  const address = name.includes('-tcp') ? 'tcp!127.0.0.1!0' : `unix!${path}`;
  if (name.includes('-key')) return secretDoor(address, 'open-sesame');
  return name.includes('-guest') ? guestDoor(address) : address;
}

function placeOf({ addresses }: NinePStrategy, path: string): NetConnectOpts {
  const [, port] = /^tcp!127\.0\.0\.1!(\d+)$/.exec(String(addresses[0])) ?? [];
  return port === undefined ? { path } : { host: '127.0.0.1', port: Number(port) };
}

describe('the kinds of files serve stock clients as written in', () => {
  it.each(transcripts)('%s', async (name) => {
    const directory = mkdtempSync(join(tmpdir(), 'clients-'));
    const path = join(directory, 'socket');
    const bugs: unknown[] = [];
    const server = new NinePStrategy(kindsTree(), { listen: [entrance(name, path)], owner: 'owner', onBug: (error) => bugs.push(error) });
    try {
      expect(await new Promise((resolve) => server.listen(resolve))).toBeUndefined();
      await new Player(server, placeOf(server, path)).play(parseTranscript(readFileSync(join(folder, name), 'utf8')));
    } finally {
      await server.close();
      rmSync(directory, { recursive: true });
    }
    expect(bugs).toEqual([]);
  });
});
