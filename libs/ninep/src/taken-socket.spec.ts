import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServedTree } from '#testkit';
import { Client } from './client.js';
import { NinepServer } from './server.js';

/** Leaves a socket that nobody answers. */
function leave(path: string): void {
  spawnSync(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
}

it('of two servers that find the same stale socket one takes it, and the other leaves it alone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'taken-'));
  const address = { type: 'unix', path: join(directory, 'socket') } as const;
  const servers = [new NinepServer(new ServedTree()), new NinepServer(new ServedTree())];
  leave(address.path);
  try {
    const outcomes = await Promise.allSettled(servers.map((server) => server.listen(address)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const client = await Client.dial({ address, uname: 'glenda', aname: '' });
    expect(servers[0]?.connections).toBe(1);
    client.close();
  } finally {
    for (const server of servers) await server.close();
    rmSync(directory, { recursive: true });
  }
});
