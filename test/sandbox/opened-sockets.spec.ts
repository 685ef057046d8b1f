import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Paths } from '#config';
import { loadPolicy, type SandboxPolicy } from '#sandbox';
import { describeModes, hasCells, tellsSocketsApart } from './modes.js';
import { reachingWorld } from './reaching-world.js';
import { identities } from './world.js';

describe.each(identities)('a socket that the policy of %s opens', (_name, uid) => {
  const at = reachingWorld(uid);
  let server: Server;
  let others: readonly Server[];
  beforeAll(async () => {
    const doors = at.world.directory('doors');
    chmodSync(doors, 0o755);
    server = await listen('open.sock');
    others = [await listen('closed.sock'), await listen('../work/own.sock')];
  });
  afterAll(() => {
    server.close();
    for (const other of others) other.close();
  });

  const door = (name: string): string => join(at.world.root, 'doors', name);
  const listen = async (name: string): Promise<Server> => {
    const listening = createServer((socket) => socket.resume()).listen(door(name));
    await once(listening, 'listening');
    chmodSync(door(name), 0o666);
    return listening;
  };
  const policy = (network: string): SandboxPolicy => {
    const file = at.world.write('policy.yaml', `filesystem: { rox: [/usr, /bin, /lib, /lib64], rwx: ['{CWD}'] }\n${network}\n`);
    const variables = { CWD: at.world.cwd, TMPDIR: at.world.tmp };
    return loadPolicy(Paths.from({ HOME: at.world.home }), variables, { type: 'file', file });
  };

  const hasGap = !tellsSocketsApart();
  const opening = (more = ''): SandboxPolicy => policy(`network: { ${more}unix: ['${door('open.sock')}'] }`);

  describeModes('in', ({ cell }) => {
    it('can be connected to, also with the network off, and is named as a gap', async () => {
      const { text, reports } = await at.world.run([at.reach, 'unix', door('open.sock')], { policy: opening('enabled: false, '), cell });
      expect(text).toBe('reached\n');
      expect(reports[0]).toMatchObject({ sandbox: 'partial', missing: expect.arrayContaining(['unix-sockets']) });
      const open = cell ? 'every socket that lies in a granted directory is open' : 'every socket that the user may connect to is open';
      const gaps = [JSON.stringify('unix-paths'), open].map((gap) => JSON.stringify(reports).includes(gap));
      expect(gaps).toEqual([hasGap, hasGap]);
    });

    it('is the only one, where sockets can be told apart', async () => {
      const { text } = await at.world.run([at.reach, 'unix', door('closed.sock')], { policy: opening(), cell });
      expect(text.trim()).toBe(cell ? 'No such file or directory' : hasGap ? 'reached' : 'EACCES');
    });

    it('opens those in granted directories, where they cannot be told apart', async () => {
      const { text } = await at.world.run([at.reach, 'unix', door('../work/own.sock')], { policy: opening(), cell });
      expect(text.trim()).toBe(hasGap ? 'reached' : 'EACCES');
    });

    it.each(['open.sock', '../work/own.sock'])('is closed where nothing is listed: %s', async (name) => {
      const { text, reports } = await at.world.run([at.reach, 'unix', door(name)], { policy: policy('network: { unix: [] }'), cell });
      expect(text.trim()).toBe(cell && !hasGap && name === 'open.sock' ? 'No such file or directory' : 'EACCES');
      expect(reports[0]).toMatchObject({ sandbox: cell ? 'full' : 'partial', missing: cell ? [] : ['cells'] });
    });

    it('is refused without best effort, where it would open others', async () => {
      const { last } = await at.world.run([at.reach, 'unix', door('open.sock')], { policy: { ...opening(), bestEffort: false }, cell });
      const refusal = { type: 'failed', step: 'landlock', message: expect.stringContaining('cannot enforce unix-paths') };
      expect(last).toMatchObject(hasGap ? refusal : { type: 'exit', code: 0 });
    });
  });

  it('cannot be in the place of sockets that a policy grants as a directory', async () => {
    const grants = [...at.world.policy.grants, { path: join(at.world.root, 'doors'), access: 'rw' as const, origin: 'test' }];
    const change = { policy: { ...at.world.policy, grants }, cell: hasCells() };
    expect((await at.world.run([at.reach, 'unix', door('open.sock')], change)).text).toBe('EACCES\n');
  });
});
