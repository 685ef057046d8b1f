import { userInfo } from 'node:os';
import { DMDIR, openMode, type Client, type Stat } from '#ninep';
import { ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

const [READ, WRITE] = [0o444, 0o222];

/** What holds for each file of a tree that is in use, whoever looks. */
describe('every file of olliesrv', () => {
  let served: ServedOlliesrv;
  let client: Client;
  let all: readonly (readonly [path: string, stat: Stat])[];

  beforeAll(async () => {
    ({ served, client } = await ServedOlliesrv.withAgents([{ text: 'done' }]));
    await client.writeAll('session/s/agent/coding/prompt', 'hi\n');
    await textOf(client, 'session/s/agent/coding/chat');
    all = [...(await walk(''))];
  });
  afterAll(() => served.close());

  async function walk(below: string): Promise<readonly (readonly [string, Stat])[]> {
    const found = await Promise.all(
      (await client.list(below)).map(async (stat) => {
        const path = below === '' ? stat.name : `${below}/${stat.name}`;
        return [[path, stat] as const, ...((stat.mode & DMDIR) === 0 ? [] : await walk(path))];
      }),
    );
    return found.flat();
  }

  async function opens(path: string, mode: number): Promise<boolean> {
    try {
      await (await client.open(path, mode)).clunk();
      return true;
    } catch (error) {
      if (String(error).includes('permission denied')) return false;
      throw error;
    }
  }

  it('belongs to the user of the server and the group agent', () => {
    expect(all.length).toBeGreaterThan(60);
    expect(new Set(all.map(([, { uid }]) => uid))).toEqual(new Set([userInfo().username]));
    expect(new Set(all.map(([, { gid }]) => gid))).toEqual(new Set(['agent']));
  });

  it('is opened as its mode says, and not otherwise', async () => {
    const files = all.filter(([, { mode }]) => (mode & DMDIR) === 0);
    for (const [path, { mode }] of files) {
      const [mayRead, mayWrite] = [(mode & READ) !== 0, (mode & WRITE) !== 0];
      // One who opens this for writing alone and goes away has asked for an agent or a session.
      const mayOnlyWrite = path.endsWith('/new') ? mayWrite : await opens(path, openMode.write);
      const found = [await opens(path, openMode.read), mayOnlyWrite, await opens(path, openMode.readWrite)];
      expect([path, ...found]).toEqual([path, mayRead, mayWrite, mayRead && mayWrite]);
    }
  });

  it('is there for every name that a client gives itself, without Tauth', async () => {
    await expect(served.dial({ secret: 'x' })).rejects.toThrow('permission denied: no auth required');
    for (const uname of ['nobody', 'root', 'agent', '']) {
      const other = await served.dial({ uname });
      expect(await textOf(other, 'session/s/name')).toBe('s\n');
      await other.writeAll('session/s/agent/coding/plan', uname);
      await expect(other.writeAll('session/s/agent/coding/id', 'x')).rejects.toThrow('permission denied');
      expect((await client.stat('session/s/agent/coding/plan')).muid).toBe(uname === '' ? userInfo().username : uname);
    }
  });

  it('of an id in aliases is found by its path and by that id', async () => {
    const lines = (await textOf(client, 'aliases')).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const [id = '', path = ''] of lines.map((line) => line.split('\t'))) {
      expect(await textOf(client, `${path}/id`)).toBe(`${id}\n`);
      expect(await textOf(client, `${path.replace(/[^/]+$/, id)}/id`)).toBe(`${id}\n`);
    }
  });
});
