import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServedTree } from '#testkit';
import { Client } from './client.js';
import { NinepServer } from './server.js';

test('smoke', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ninep-'));
  const server = new NinepServer(new ServedTree());
  const address = { type: 'unix', path: join(dir, 's') } as const;
  await server.listen(address);
  const client = await Client.dial({ address, uname: 'glenda', aname: '' });
  expect(Buffer.from(await client.readAll('hello')).toString()).toBe('hello world\n');
  expect((await client.list('many')).length).toBe(100);
  await client.writeAll('data', 'new');
  expect(Buffer.from(await client.ask('data', 'xx')).toString()).toBe('xxw');
  client.close();
  await server.close();
  rmSync(dir, { recursive: true });
});
