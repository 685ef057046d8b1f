import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { SupervisorLauncher } from '#exec';
import { findHelper } from '#sandbox';
import { describeModes } from './modes.js';
import { identities, World } from './world.js';

const ASK = 'echo hello >&3; read -r line <&3; echo "got $line"';

describeModes('a door', ({ cell }) => {
  describe.each(identities)('for %s', (_name, uid) => {
    let world: World;
    let server: Server;
    let door: string;
    let said: string;
    beforeAll(async () => {
      world = new World(uid);
      mkdirSync(join(world.root, 'private'));
      door = join(world.root, 'private/door');
      server = createServer((socket) => socket.on('data', (data) => socket.end(`${(said += String(data)).trim()} yourself\n`)));
      await new Promise<void>((resolve) => server.listen(door, resolve));
      for (const path of [join(world.root, 'private'), door]) {
        chownSync(path, uid, uid);
        chmodSync(path, 0o700);
      }
    });
    beforeEach(() => (said = ''));
    afterAll(() => {
      server.close();
      world.remove();
    });

    it('is a connection on descriptor 3', async () => {
      const { text, last } = await world.run(['sh', '-c', ASK], { cell, door });
      expect([text, said, last?.type]).toEqual(['got hello yourself\n', 'hello\n', 'exit']);
    });

    it('is there with the network off too, and as the only descriptor', async () => {
      const { text } = await world.run(['sh', '-c', `${ASK}; exec ls -l /proc/self/fd`], { cell, door, policy: world.offline() });
      expect(text).toContain('got hello yourself\n');
      expect([...text.matchAll(/ (\d+) -> (?!\/proc)/g)].map(([, number]) => number)).toEqual(['0', '1', '2', '3']);
    });

    it('is not there unless it is asked for', async () => {
      const { text } = await world.run(['sh', '-c', '{ echo x >&3; } 2>&1'], { cell });
      expect(text).toMatch(/Bad file descriptor|bad file descriptor/i);
    });

    it('that nobody answers runs nothing', async () => {
      const { text, last, code } = await world.run(['echo', 'ran'], { cell, door: join(world.root, 'private/nothing') });
      expect([text, last, code]).toEqual(['', { type: 'failed', step: 'door', message: 'No such file or directory' }, 125]);
    });

    it('is open without a sandbox too', async () => {
      const { text } = await world.run(['sh', '-c', ASK], { cell, door, policy: undefined });
      expect(text).toBe('got hello yourself\n');
    });
  });

  it('comes through the launcher of calls', async () => {
    const world = new World(process.getuid?.() ?? 0);
    const door = join(world.root, 'door');
    const server = createServer((socket) => socket.on('data', (data) => socket.end(data)));
    await new Promise<void>((resolve) => server.listen(door, resolve));
    const launcher = new SupervisorLauncher(findHelper());
    await launcher.whenReady(world.order(['true'], { cell }));
    let text = '';
    const listener = { started: () => undefined, output: (chunk: Uint8Array) => void (text += Buffer.from(chunk).toString()) };
    await launcher.launch(world.order(['sh', '-c', ASK], { cell, door }), undefined, listener).ended;
    expect(text).toBe('got hello\n');
    await launcher.close();
    server.close();
    world.remove();
  });
});
