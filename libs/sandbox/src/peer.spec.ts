import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { findHelper } from './helper.js';
import { askPeer } from './peer.js';

const helper = findHelper() ?? 'missing';
const CONNECT =
  "const s = require('net').connect(process.argv[1]); s.on('data', () => process.exit()); s.on('connect', () => s.write('x'))";

describe('the process at the other end of a socket', () => {
  let folder: string;
  let server: Server;
  beforeEach(async () => {
    folder = mkdtempSync('/tmp/peer-');
    server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  /** A connection of a Node that a shell starts by these words. */
  async function connected(words: string) {
    const child = spawn('sh', ['-c', `exec ${words} "$0" -e "$1" "$2"`, process.execPath, CONNECT, join(folder, 's')]);
    const [socket] = (await once(server, 'connection')) as [Socket]; // what the event brings
    await once(socket, 'data');
    const end = async (): Promise<void> => {
      const ended = once(child, 'close');
      socket.end('x');
      await ended;
    };
    return { child, socket, end };
  }

  it.each([
    ['', false],
    ['setpriv --no-new-privs', true],
  ])('%s: is known by number, flag and program', async (words, noNewPrivs) => {
    const { child, socket, end } = await connected(words);
    const { dev, ino } = statSync(process.execPath, { bigint: true });
    expect(await askPeer(helper, socket)).toEqual({ pid: child.pid, noNewPrivs, program: `${dev}:${ino}` });
    await end();
  });

  it('is not told any more once it has gone', async () => {
    const { child, socket } = await connected('');
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
    await expect(askPeer(helper, socket)).rejects.toThrow(/peer: the (process: No such file or directory|connection has gone)$/);
    socket.destroy();
  });

  it('is asked for without a change to the socket', async () => {
    const { socket, end } = await connected('');
    const before = flagsOf(socket);
    await askPeer(helper, socket);
    expect(flagsOf(socket)).toBe(before);
    expect(socket.isPaused()).toBe(false);
    await end();
  });
});

/** The flags of the open file behind it, octal. */
function flagsOf(socket: Socket): string | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  return /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${String(fd)}`, 'utf8'))?.[1];
}
