import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { formatAddress, NinepError, NinepServer } from '#ninep';
import { TinyFileServer, type TinyFile } from '#testkit';
import { ClosedOutputError, StreamError } from './errors.js';
import { runCommand } from './run-command.js';
import type { Output, World } from './world.js';

class MemoryOutput implements Output {
  bytes = Buffer.alloc(0);
  async write(bytes: Uint8Array | string): Promise<void> {
    this.bytes = Buffer.concat([this.bytes, Buffer.from(bytes)]);
  }
  get text(): string {
    return this.bytes.toString();
  }
}

const content = (text: string | Uint8Array): TinyFile => ({
  length: text.length,
  read: (offset, count) => Buffer.from(text).subarray(offset, offset + count),
});
const flags = { read: 0, write: 1, readWrite: 2, truncate: 0x10 };

describe('a file command', () => {
  let folder: string;
  let files: TinyFileServer;
  let server: NinepServer;
  let stdout: MemoryOutput;
  let stderr: MemoryOutput;
  let stdin: PassThrough;
  let abort: AbortController;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-cli-'));
    [stdout, stderr, stdin, abort] = [new MemoryOutput(), new MemoryOutput(), new PassThrough(), new AbortController()];
  });
  afterEach(async () => {
    stdin.destroy();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  async function serve(tree: Readonly<Record<string, TinyFile>>, secret?: string): Promise<void> {
    files = new TinyFileServer(tree, secret);
    server = new NinepServer(files);
    await server.listen({ type: 'unix', path: join(folder, 'ollie') });
  }

  function command(argv: readonly string[], changes: Partial<World> = {}): Promise<number> {
    const world: World = {
      env: { NAMESPACE: folder },
      uname: 'me',
      clientTag: '30.40.1234',
      stdin: () => stdin,
      stdout,
      stderr,
      ...changes,
    };
    return runCommand({ name: 'ollie-9p' }, argv, world, abort.signal);
  }

  it('read passes bytes untouched to the end', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 256));
    await serve({ data: content(bytes) });
    expect(await command(['read', 'data'])).toBe(0);
    expect(stdout.bytes.equals(bytes)).toBe(true);
    expect(files.log.slice(1)).toEqual([`open data ${flags.read}`, 'close data clunk']);
  });

  it('read of a directory says what to use instead of printing its records', async () => {
    await serve({ data: content('x') });
    expect(await command(['read', '/'])).toBe(1);
    expect([stdout.text, stderr.text]).toEqual(['', 'ollie-9p: /: is a directory; list it with ls\n']);
  });

  it('says what to do when nobody answers at the address', async () => {
    await serve({});
    expect(await command(['-a', join(folder, 'gone'), 'ls'])).toBe(1);
    expect(stderr.text).toMatch(
      /^ollie-9p: i\/o error: cannot connect to unix!\S*gone: ENOENT: nobody answers there; start olliesrv, .* -a\n$/,
    );
  });

  it('read shows what comes while more is to come', async () => {
    const more = new PassThrough();
    const parts = ['first\n', 'second\n', ''];
    await serve({ chat: { read: async () => Buffer.from(await (more.read() === null ? wait(5).then(() => parts.shift() ?? '') : '')) } });
    let shownFirst = '';
    const slow: Output = {
      write: async (bytes) => {
        shownFirst ||= Buffer.from(bytes).toString();
        await stdout.write(bytes);
      },
    };
    await command(['read', '/chat'], { stdout: slow });
    expect(shownFirst).toBe('first\n');
    expect(stdout.text).toBe('first\nsecond\n');
  });

  it('write sends its input as one message and tells the error of the close', async () => {
    await serve({
      prompt: {
        close: () => {
          throw new NinepError('agent is busy', 'EBUSY');
        },
      },
    });
    stdin.end('do this\nand that');
    expect(await command(['write', 'prompt'])).toBe(1);
    expect(files.log.slice(1)).toEqual([
      `open prompt ${flags.write | flags.truncate}`,
      'write prompt 0 do this\nand that',
      'close prompt clunk',
    ]);
    expect(stderr.text).toBe('ollie-9p: prompt: agent is busy\n');
  });

  it('write sends what has come once its input is silent, on the one open file', async () => {
    await serve({ feed: {} });
    const running = command(['write', 'feed']);
    stdin.write('one ');
    await wait(20);
    stdin.write('two');
    await until(() => files.log.length > 2);
    stdin.end('three');
    expect(await running).toBe(0);
    expect(files.log.slice(2)).toEqual(['write feed 0 one two', 'write feed 7 three', 'close feed clunk']);
  });

  it('write without input opens and closes, and writes nothing', async () => {
    await serve({ plan: {} });
    stdin.end();
    expect(await command(['write', 'plan'])).toBe(0);
    expect(files.log.slice(2)).toEqual(['close plan clunk']);
  });

  it('write fails before it has read anything when there is no such file', async () => {
    await serve({});
    expect(await command(['write', 'nothing'])).toBe(1);
    expect(stderr.text).toBe('ollie-9p: nothing: file does not exist\n');
  });

  it('rdwr sends all of its input, however it pauses, then reads the answer', async () => {
    await serve({ ctl: content('ok\n') });
    const running = command(['rdwr', 'ctl']);
    stdin.write('stop\n');
    await wait(250);
    stdin.end('tools\n');
    expect(await running).toBe(0);
    expect(files.log.slice(1)).toEqual([`open ctl ${flags.readWrite}`, 'write ctl 0 stop\ntools\n', 'close ctl clunk']);
    expect(stdout.text).toBe('ok\n');
  });

  it('ls lists names in order; -l in columns', async () => {
    await serve({ b: { mode: 0o220 }, a: { mode: 0o444, length: 1234 } });
    expect([await command(['ls']), await command(['ls', '-l', '/'])]).toEqual([0, 0]);
    expect(stdout.text).toBe('a\nb\n-r--r--r-- owner agent 1234 2025-11-30 10:25 a\n--w--w---- owner agent    0 2025-11-30 10:25 b\n');
  });

  it('ls of a file names the file', async () => {
    await serve({ a: {} });
    await command(['ls', 'a']);
    expect(stdout.text).toBe('a\n');
  });

  it('stat tells what is known of a file', async () => {
    await serve({ a: { mode: 0o660, length: 7 } });
    await command(['stat', 'a']);
    expect(stdout.text).toBe(
      'name=a\nmode=-rw-rw----\nlength=7\nmtime=2025-11-30T10:25:00.000Z\nuid=owner\ngid=agent\nmuid=writer\nqid=0.2.3\n',
    );
  });

  it('rm removes', async () => {
    let removed = false;
    await serve({ a: { remove: () => void (removed = true) } });
    expect(await command(['rm', 'a'])).toBe(0);
    expect(removed).toBe(true);
  });

  it('mv gives a new name', async () => {
    await serve({ a: {} });
    expect(await command(['mv', 'a', 'b'])).toBe(0);
    expect(files.log.slice(1)).toEqual(['wstat a {"name":"b"}']);
  });

  it('read -f goes on at the end with what is added', async () => {
    let text = 'one\n';
    await serve({ log: { read: (offset) => Buffer.from(text).subarray(offset) } });
    const running = command(['read', '-f', 'log']);
    await until(() => stdout.text === 'one\n');
    text += 'two\n';
    await until(() => stdout.text === 'one\ntwo\n');
    abort.abort(new Error('ended by SIGINT'));
    await expect(running).rejects.toThrow('ended by SIGINT');
  });

  it('write sends more than a message holds in pieces that fit, in order', async () => {
    const pieces: { offset: number; data: Buffer }[] = [];
    await serve({ plan: { write: (offset, data) => void pieces.push({ offset, data: Buffer.from(data) }) } });
    const input = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 256));
    stdin.end(input);
    expect(await command(['write', 'plan'])).toBe(0);
    expect(Buffer.concat(pieces.map(({ data }) => data)).equals(input)).toBe(true);
    expect(pieces.map(({ offset }) => offset)).toEqual(
      pieces.map((_, index) => pieces.slice(0, index).reduce((sum, { data }) => sum + data.length, 0)),
    );
    expect(Math.max(...pieces.map(({ data }) => data.length))).toBeLessThanOrEqual(1024 * 1024 - 24);
  });

  it('attaches as told, with a tag that the commands of this shell share', async () => {
    await serve({ a: content('') });
    await command(['read', 'a']);
    await command(['-u', 'agent', '-A', '1764-ab&wait=2s', 'read', 'a']);
    await command(['-A', 'client=mine', 'read', 'a']);
    await command(['read', 'a'], { clientTag: undefined });
    expect(files.log.filter((entry) => entry.startsWith('attach'))).toEqual([
      'attach me client=30.40.1234',
      'attach agent 1764-ab&wait=2s&client=30.40.1234',
      'attach me client=mine',
      'attach me ',
    ]);
  });

  it('proves itself with the secret of a file', async () => {
    await serve({ a: content('x') }, 's3cret');
    writeFileSync(join(folder, 'right'), 's3cret\n');
    writeFileSync(join(folder, 'wrong'), 'guess\n');
    expect(await command(['--secret-file', join(folder, 'right'), 'read', 'a'])).toBe(0);
    expect(await command(['--secret-file', join(folder, 'wrong'), 'read', 'a'])).toBe(1);
    expect(await command(['--secret-file', join(folder, 'none'), 'read', 'a'])).toBe(1);
    expect(stderr.text).toMatch(/^ollie-9p: permission denied: bad secret\nollie-9p: secret file .*none: ENOENT.*\n$/);
  });

  it('proves itself over TCP as well', async () => {
    await serve({ a: content('x') }, 's3cret');
    const bound = formatAddress(await server.listen({ type: 'tcp', host: '127.0.0.1', port: 0 }));
    writeFileSync(join(folder, 'right'), 's3cret\n');
    expect(await command(['-a', bound.replace(/!(\d+)$/, ':$1'), '--secret-file', join(folder, 'right'), 'read', 'a'])).toBe(0);
    expect(stdout.text).toBe('x');
  });

  it('goes to the address that it is given', async () => {
    await serve({ a: content('x') });
    expect(await command(['-a', `unix!${folder}/ollie`, 'read', 'a'], { env: {} })).toBe(0);
    expect(await command(['-a', 'nonsense!x', 'read', 'a'])).toBe(1);
    expect(stderr.text).toMatch(/^ollie-9p: illegal argument: .*nonsense/);
  });

  it('says how to start a server when there is none', async () => {
    await serve({});
    expect(await command(['read', 'a'], { env: { NAMESPACE: join(folder, 'none'), USER: 'nobody-here', DISPLAY: ':77' } })).toBe(1);
    expect(stderr.text).toBe(`ollie-9p: no server at unix!${folder}/none/ollie; start one: olliesrv serve\n`);
  });

  it.each([
    [[], 'no command is given'],
    [['fly', 'x'], 'no such command: fly'],
    [['read'], 'read needs a path'],
    [['read', 'a', 'b'], 'read takes one path, found more: b'],
    [['read', '-l', 'a'], 'read has no option -l'],
    [['ls', '-f', 'a'], 'ls has no option -f'],
    [['mv', 'a'], 'mv needs a path and a new name'],
    [['mv', 'a', 'b', 'c'], 'mv takes a path and a new name, found more: c'],
    [['mv', 'a', 'b/c'], 'mv gives a new name and moves nothing elsewhere: b/c'],
    [['constructor', 'a'], 'no such command: constructor'],
    [['--what', 'read', 'a'], "unknown option '--what'"],
  ])('answers %j with 2 and where its usage is', async (argv, message) => {
    await serve({});
    expect(await command(argv)).toBe(2);
    expect(stderr.text).toBe(`ollie-9p: ${message}; see ollie-9p --help\n`);
  });

  it('prints its usage when asked', async () => {
    await serve({});
    expect([await command(['--help']), await command(['help'])]).toEqual([0, 0]);
    expect(stdout.text).toMatch(/^usage: ollie-9p .*\n {2}ls .*\n {2}read \[-f\] PATH/);
  });

  it('tells a failed stream from a failed file', async () => {
    await serve({ a: content('x') });
    const full: Output = { write: () => Promise.reject(new StreamError('standard output: no space left on device')) };
    expect(await command(['read', 'a'], { stdout: full })).toBe(1);
    expect(stderr.text).toBe('ollie-9p: standard output: no space left on device\n');
  });

  it('ends quietly when nobody reads its output any more', async () => {
    await serve({ a: { read: () => Buffer.from('more ') } });
    const closed: Output = { write: () => Promise.reject(new ClosedOutputError()) };
    expect(await command(['read', 'a'], { stdout: closed })).toBe(0);
    expect(stderr.text).toBe('');
  });

  it('flushes what it waits for when it is aborted', async () => {
    let [begun, flushed] = [false, false];
    const never = (signal: AbortSignal) =>
      new Promise<Uint8Array>((_, reject) => {
        begun = true;
        signal.addEventListener('abort', () => {
          flushed = true;
          reject(new NinepError('interrupted', 'EINTR'));
        });
      });
    await serve({ statewait: { read: (_offset, _count, signal) => never(signal) } });
    const running = command(['read', 'statewait']);
    await until(() => begun);
    abort.abort(new Error('ended by SIGINT'));
    await expect(running).rejects.toThrow('ended by SIGINT');
    await until(() => flushed);
  });

  it('stops waiting for its input when it is aborted', async () => {
    await serve({ prompt: {} });
    const running = command(['write', 'prompt']);
    await until(() => files.log.length > 1);
    abort.abort(new Error('ended by SIGINT'));
    await expect(running).rejects.toThrow('ended by SIGINT');
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 5) {
    if (waited > 5_000) throw new Error('waited in vain');
    await wait(5);
  }
}
