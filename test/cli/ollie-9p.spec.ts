import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NinepError, NinepServer } from '#ninep';
import { TinyFileServer, type TinyFile } from '#testkit';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';
import { until } from '../support/until.js';

const program = join(root, 'bin/ollie-9p');
const endless: TinyFile = { read: (_offset, count) => Buffer.alloc(count, 'x') };

/** Blocks until it is flushed, and then says so. */
class Blocking implements TinyFile {
  begun = false;
  flushed = false;
  read(_offset: number, _count: number, signal: AbortSignal): Promise<Uint8Array> {
    this.begun = true;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        this.flushed = true;
        reject(new NinepError('interrupted', 'EINTR'));
      });
    });
  }
}

describe('ollie-9p as a program', () => {
  let tree: TempTree;
  let files: TinyFileServer;
  let server: NinepServer;
  let blocking: Blocking;
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    tree = new TempTree();
    blocking = new Blocking();
    files = new TinyFileServer({ prompt: {}, endless, blocking, two: { read: (offset) => Buffer.from(offset === 0 ? 'a\0b\n' : '') } });
    server = new NinepServer(files);
    await server.listen({ type: 'unix', path: tree.path('ollie') });
    env = { ...process.env, NAMESPACE: tree.root, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  });
  afterEach(async () => {
    await server.close();
    tree.remove();
  });

  it.each([program, join(root, 'bin/o')])('%s reads and writes', async (command) => {
    const read = await run(command, ['read', 'two'], { env });
    const write = await run(command, ['write', 'prompt'], { env, input: 'say hi\n' });
    expect([read.stdout, read.code, write.code]).toEqual(['a\0b\n', 0, 0]);
    expect(files.log).toContain('write prompt 0 say hi\n');
  });

  it('prints errors on stderr and ends with 1 or 2', async () => {
    const missing = await run(program, ['read', 'nothing'], { env });
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: 'ollie-9p: nothing: file does not exist\n' });
    expect(await run(program, ['fly'], { env })).toMatchObject({ code: 2, stdout: '' });
  });

  it('ends quietly when its reader goes away', async () => {
    const { stdout, stderr } = await run('bash', ['-c', 'ollie-9p read endless | head -c 5; echo " ${PIPESTATUS[0]}"'], { env });
    expect({ stdout, stderr }).toEqual({ stdout: 'xxxxx 0\n', stderr: '' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('on %s it flushes its read and ends with %d', async (signal, code) => {
    const child = spawn(program, ['read', 'blocking'], { env, stdio: 'ignore' });
    await until('the read has begun', () => blocking.begun);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
    await until('the read was flushed', () => blocking.flushed);
  });

  it('is one client with all other commands of its shell, and another client in another shell', async () => {
    const twice = 'ollie-9p read two; ollie-9p read two | cat';
    for (let shells = 0; shells < 2; shells += 1) await run('setsid', ['-w', 'bash', '-c', twice], { env });
    const tags = files.log.filter((entry) => entry.startsWith('attach'));
    expect([tags[0] === tags[1], tags[1] === tags[2], tags[2] === tags[3]]).toEqual([true, false, true]);
  });

  it('does not wait for the end of its input when the file is refused', async () => {
    const child = spawn(program, ['write', 'nothing'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
    expect(await once(child, 'close')).toEqual([1, null]);
  });
});
