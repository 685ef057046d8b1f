import { join } from 'node:path';
import { NinepServer } from '#ninep';
import { TinyFileServer } from '#testkit';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

describe('a small program whose standard streams are no good', () => {
  let tree: TempTree;
  let files: TinyFileServer;
  let server: NinepServer;

  beforeEach(async () => {
    tree = new TempTree({ 'w/file': '' });
    files = new TinyFileServer({ a: { read: (offset) => Buffer.from(offset === 0 ? 'text' : '') } });
    server = new NinepServer(files);
    await server.listen({ type: 'unix', path: tree.path('ollie') });
  });
  afterEach(async () => {
    await server.close();
    tree.remove();
  });

  const sh = (script: string): Promise<Ended> =>
    run('bash', ['-c', script], {
      cwd: tree.root,
      env: { ...process.env, NAMESPACE: tree.root, PATH: `${join(root, 'bin')}:${process.env.PATH}` },
    });

  it.each(['read a', 'ls', 'ls -l', 'stat a', 'rdwr a </dev/null', '--help', '--version'])(
    'says that the disk is full when `%s` cannot be written, and does not blame the file',
    async (line) => {
      expect(await sh(`ollie-9p ${line} >/dev/full`)).toMatchObject({
        code: 1,
        stderr: 'ollie-9p: standard output: no space left on device\n',
      });
    },
  );

  it('says the same in `o`', async () => {
    for (const line of ['ls', '--help', 'demo --help', 'gen --help', 'mount --help'])
      expect(await sh(`o ${line} >/dev/full`)).toMatchObject({ code: 1, stderr: 'o: standard output: no space left on device\n' });
  });

  it.each(['write a', 'rdwr a'])('says that the input of `%s` is a directory, and touches no file', async (line) => {
    const { code, stderr } = await sh(`ollie-9p ${line} <w`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'ollie-9p: standard input: is a directory\n' });
    expect(files.log.filter((entry) => entry.startsWith('open'))).toEqual([]);
  });

  it('says that the input cannot be read', async () => {
    expect(await sh('ollie-9p write a 0>w/file')).toMatchObject({ code: 1, stderr: 'ollie-9p: standard input: bad file descriptor\n' });
  });

  it('does not look at an input that it does not need', async () => {
    expect(await sh('ollie-9p read a <w')).toMatchObject({ code: 0, stdout: 'text', stderr: '' });
  });

  it('keeps its exit code when its error cannot be written', async () => {
    expect((await sh('ollie-9p fly 2>/dev/full')).code).toBe(2);
    expect((await sh('ollie-9p read nothing 2>/dev/full')).code).toBe(1);
  });
});
