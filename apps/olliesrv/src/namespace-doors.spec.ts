import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { logTo, Paths } from '#config';
import { Client } from '#ninep';
import { NinePStrategy } from '#transport-ninep';
import { dir, mount, text } from '#virtfs';
import { NamespaceDoors } from './namespace-doors.js';

const ID = '1764498301123456789-0f9e8d';

describe('the doors of agents', () => {
  let folder: string;
  let paths: Paths;
  let warnings: string;
  let strategy: NinePStrategy;
  let doors: NamespaceDoors;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync('/tmp/od-'));
    paths = Paths.from({ HOME: folder, XDG_RUNTIME_DIR: folder });
    warnings = '';
    const log = logTo([{ write: (line) => void (warnings += line), flush: async () => undefined }], 'test', 'warn');
    doors = new NamespaceDoors(paths, log);
    const tree = dir<object>({ who: text('', (_t, { client }) => `${client.role} ${client.uname}\n`) });
    strategy = new NinePStrategy(mount(tree, {}), { listen: [`unix!${join(folder, 'main')}`] });
    await new Promise<void>((resolve) => strategy.listen(() => resolve()));
    doors.serveBy(strategy);
  });
  afterEach(async () => {
    await strategy.close();
    rmSync(folder, { recursive: true });
  });

  const dial = (id = ID): Promise<Client> =>
    Client.dial({ address: { type: 'unix', path: paths.agentDoor(id) }, uname: 'somebody', aname: '' });

  it('are sockets of the user alone, by which each is who the socket says', async () => {
    await doors.open(ID);
    expect(paths.agentDoor(ID)).toBe(join(folder, 'ollie/agent', ID));
    expect(statSync(paths.agentDoor(ID)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(paths.agentDoor(ID))).mode & 0o777).toBe(0o700);
    expect(new TextDecoder().decode(await (await dial()).readAll('who'))).toBe(`agent ${ID}\n`);
  });

  it('are opened once, and may be opened again after they were closed', async () => {
    await Promise.all([doors.open(ID), doors.open(ID)]);
    const client = await dial();
    await doors.close(ID);
    await expect(client.closed).resolves.toThrow('connection lost');
    expect(existsSync(paths.agentDoor(ID))).toBe(false);
    await doors.close(ID);
    await doors.open(ID);
    (await dial()).close();
  });

  it('are independent of each other, and end with the server', async () => {
    const other = ID.replace('0f', '1f');
    await Promise.all([doors.open(ID), doors.open(other)]);
    await doors.close(other);
    const client = await dial();
    await strategy.close();
    await client.closed;
    expect(existsSync(paths.agentDoor(ID))).toBe(false);
  });

  it('are missing, and that is logged, where the directory is not the user’s alone', async () => {
    mkdirSync(dirname(paths.agentDoor(ID)), { recursive: true });
    chmodSync(dirname(paths.agentDoor(ID)), 0o755);
    await doors.open(ID);
    expect(existsSync(paths.agentDoor(ID))).toBe(false);
    expect(warnings).toContain(`agent ${ID} has no door to the namespace: permission denied: `);
    chmodSync(dirname(paths.agentDoor(ID)), 0o700);
    await doors.open(ID);
    (await dial()).close();
  });

  it('of servers that were killed are taken away, and those of others left alone', async () => {
    const [dead, alive] = ['1f', '2f'].map((digits) => paths.agentDoor(ID.replace('0f', digits)));
    mkdirSync(dirname(paths.agentDoor(ID)), { recursive: true, mode: 0o700 });
    const script = "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    spawnSync(process.execPath, ['-e', script, dead ?? '']);
    const other = createServer().listen(alive);
    await once(other, 'listening');
    expect(existsSync(dead ?? '')).toBe(true);
    await doors.open(ID);
    expect([existsSync(dead ?? ''), existsSync(alive ?? '')]).toEqual([false, true]);
    other.close();
  });

  it('are missing as long as nobody serves', async () => {
    const early = new NamespaceDoors(paths, logTo([], 'test', 'off'));
    await early.open(ID);
    expect(existsSync(paths.agentDoor(ID))).toBe(false);
  });
});
