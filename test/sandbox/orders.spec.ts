import { closeSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { encodeRunOrder } from '#sandbox';
import { runHelper, type Outcome } from './run-helper.js';
import { identities, World } from './world.js';

const uid = identities[0]?.[1] ?? 0;

describe('an order to the helper', () => {
  let world: World;
  beforeAll(() => (world = new World(uid)));
  afterAll(() => world.remove());

  const records = (): string[] =>
    Buffer.from(encodeRunOrder(world.order(['sh', '-c', 'echo ran'])))
      .toString()
      .split('\0')
      .slice(0, -1);
  const send = (list: readonly string[]): Promise<Outcome> =>
    runHelper(Buffer.from(list.map((record) => `${record}\0`).join('')), world.options());
  const without = (key: string): string[] => records().filter((record) => !record.startsWith(`${key}=`));
  const before = (record: string): string[] => [...without('end'), record, 'end='];

  it('runs when it is whole', async () => {
    expect((await send(records())).text).toBe('ran\n');
  });

  it.each(['version', 'policy', 'best_effort', 'network', 'cwd', 'arg', 'end'])('without its %s record runs nothing', async (key) => {
    const { text, reports, code } = await send(without(key));
    expect({ text, reports, code }).toEqual({
      text: '',
      reports: [{ type: 'failed', step: 'order', message: `missing record: ${key}` }],
      code: 125,
    });
  });

  it.each([
    ['sandbox=off', 'unknown record: sandbox'],
    ['policy=none', 'record given twice: policy'],
    ['rw=relative', 'bad value of record: rw'],
    ['env==x', 'bad value of record: env'],
    ['env=NAME', 'bad value of record: env'],
    ['grace=-1', 'bad value of record: grace'],
    ['umask=888', 'bad value of record: umask'],
    ['limit=soul:1', 'bad value of record: limit'],
    ['noise', 'record without a value: noise'],
  ])('with %s runs nothing', async (record, message) => {
    const base = record.startsWith('grace') ? without('grace') : records();
    const { text, last } = await send([...base.slice(0, -1), record, 'end=']);
    expect([text, last]).toEqual(['', { type: 'failed', step: 'order', message }]);
  });

  it('cut short anywhere runs nothing', async () => {
    const bytes = encodeRunOrder(world.order(['sh', '-c', 'echo ran']));
    for (const length of [0, 1, Math.floor(bytes.length / 2), bytes.length - 1, bytes.length - 5]) {
      const { text, last, code } = await runHelper(bytes.subarray(0, length), world.options());
      expect([text, last?.type, code]).toEqual(['', 'failed', 125]);
    }
  });

  it('with something after the end runs nothing', async () => {
    expect((await send([...records(), 'arg=more'])).last).toMatchObject({ message: 'record after the end' });
  });

  it('sets limits and the file mode mask', async () => {
    const script = ['arg=sh', 'arg=-c', 'arg=ulimit -n; ulimit -c; umask'];
    const list = [...without('arg').slice(0, -1), ...script, 'limit=nofile:64', 'umask=027', 'end='];
    expect((await send(list)).text).toBe('64\n0\n0027\n');
  });

  it('an absent path is left out with a note under best effort, and is an error otherwise', async () => {
    const [lax] = (await send(before('ro=/no/such/place'))).reports;
    expect(lax).toMatchObject({ type: 'started', notes: ['/no/such/place: No such file or directory; not granted'] });
    const strict = before('ro=/no/such/place').map((record) => (record === 'best_effort=1' ? 'best_effort=0' : record));
    expect(await send(strict)).toMatchObject({ text: '', code: 125, last: { type: 'failed', step: 'landlock' } });
  });

  it('a granted path that has become a link runs nothing', async () => {
    symlinkSync('/etc', join(world.cwd, 'swapped'));
    const { text, last } = await send(before(`rw=${join(world.cwd, 'swapped')}`));
    expect([text, last]).toEqual(['', { type: 'failed', step: 'landlock', message: expect.stringContaining('symbolic link') }]);
  });
});

describe('a tool that cannot be started', () => {
  let world: World;
  beforeAll(() => (world = new World(uid)));
  afterAll(() => world.remove());

  it.each([
    ['no-such-command', 127, 'command not found: no-such-command'],
    ['/no/such/file', 127, 'no such file: /no/such/file'],
    ['./crlf', 126, "./crlf: interpreter '/bin/sh\r' not found (CRLF line ends?)"],
    ['./lost', 126, "./lost: interpreter '/opt/gone/python' not found"],
    ['./plain', 126, './plain: not executable (chmod +x?)'],
    ['./folder', 126, './folder: is a directory'],
    ['./noise', 126, './noise: not a program for this machine'],
  ])('%s: exit %i and the reason', async (program, code, message) => {
    world.write('work/crlf', '#!/bin/sh\r\necho x\r\n', 0o755);
    world.write('work/lost', '#! /opt/gone/python -u\n', 0o755);
    world.write('work/plain', 'text');
    world.write('work/noise', '\x7fELF\x02\x01\x01\0\0', 0o755);
    mkdirSync(join(world.cwd, 'folder'), { recursive: true });
    const outcome = await world.run([program]);
    expect([outcome.code, outcome.reports]).toEqual([code, [{ type: 'failed', step: 'exec', message }]]);
  });

  it('a missing working directory is named', async () => {
    const cwd = join(world.root, 'gone');
    expect(await world.run(['true'], { cwd })).toMatchObject({
      code: 125,
      last: { type: 'failed', step: 'cwd', message: `working directory does not exist: ${cwd}` },
    });
  });

  it('a program without an execute grant is refused by the policy, and says so', async () => {
    const program = world.write('home/program', '#!/bin/sh\necho ran\n', 0o755);
    expect((await world.run([program])).last).toMatchObject({
      step: 'exec',
      message: expect.stringContaining('the sandbox policy grants no'),
    });
    expect((await world.run([program], { policy: undefined })).text).toBe('ran\n');
  });

  it('too long arguments are named as such', async () => {
    expect((await world.run(['true', 'x'.repeat(200_000)])).last).toMatchObject({
      message: expect.stringContaining('arguments too long: 200'),
    });
  });

  it('a program that is open for writing is named as busy', async () => {
    const writer = openSync(world.write('work/busy', '#!/bin/sh\n', 0o755), 'a');
    expect((await world.run(['./busy'])).last).toMatchObject({ message: './busy: text file busy: it is open for writing' });
    closeSync(writer);
  });

  it('a program that is open for writing for some milliseconds more is waited for', async () => {
    let text = '';
    // A busy machine may let all tries pass before it lets the writer close.
    for (let tries = 0; tries < 5 && text === ''; tries++) {
      const writer = openSync(world.write('work/brief', '#!/bin/sh\necho ran\n', 0o755), 'a');
      setTimeout(() => closeSync(writer), 80);
      ({ text } = await world.run(['./brief']));
    }
    expect(text).toBe('ran\n');
  });

  it('a file of no known format is run by the shell', async () => {
    world.write('work/bare', 'echo "bare $1"\n', 0o755);
    expect((await world.run(['./bare', 'a b'])).text).toBe('bare a b\n');
  });

  it('PATH is searched in order, and its relative entries are not', async () => {
    world.write('work/here', '#!/bin/sh\necho here\n', 0o755);
    expect((await world.run(['here'], { env: { PATH: '.::/usr/bin' } })).code).toBe(127);
    expect((await world.run(['here'], { env: { PATH: `/usr/bin:${world.cwd}` } })).text).toBe('here\n');
  });
});
