import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo } from '#config';
import { until } from './describe-launcher.js';
import { SessionDirectories } from './session-directories.js';

const DEAD = 999_999_999;

let folder: string;
let parent: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'directories-'));
  parent = join(folder, 'ollie');
  said = [];
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const sink = { write: (line: string) => void said.push(line), flush: () => Promise.resolve() };
const directories = (): SessionDirectories => new SessionDirectories(parent, logTo([sink], 'toolsrv', 'info'));
const mark = (pid: number = process.pid): string => `toolsrv.${pid}`;

function left(session: string, ...pids: readonly number[]): string {
  const path = join(parent, session);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const pid of pids) writeFileSync(join(path, mark(pid)), '');
  return path;
}

describe('directories of sessions', () => {
  it('are there from the first call to the end, for the user alone, and say whose they are', () => {
    const made = directories();
    expect(existsSync(parent)).toBe(false);
    for (const session of ['1764498301000000000-0f9e8d', 's', 's', '']) made.make(session);
    expect(readdirSync(parent).sort()).toEqual(['1764498301000000000-0f9e8d', 's']);
    expect([parent, join(parent, 's')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(readdirSync(join(parent, 's'))).toEqual([mark()]);
    made.remove();
    expect(readdirSync(parent)).toEqual([]);
    expect(said).toEqual([]);
  });

  it.each(['..', '.', '../../x', '/etc', 'a/b', '.hidden', 'x'.repeat(300), 'a\0b', 'a\nb'])(
    'stay inside, whatever the session is called: %j',
    (session) => {
      directories().make(session);
      expect(readdirSync(folder)).toEqual(['ollie']);
      expect(readdirSync(parent)).toEqual([expect.stringMatching(/^session-[0-9a-f]{16}$/)]);
    },
  );

  it('of dead servers are removed, those that a living one has, or that have something else, stay', async () => {
    const [dead, living, shared, other, kept] = [
      left('dead', DEAD),
      left('living', process.ppid),
      left('shared', DEAD, process.ppid),
      left('other'),
      left('kept', DEAD),
    ];
    writeFileSync(join(kept, 'notes'), '');
    directories().make('s');
    await until(() => !existsSync(dead) && [shared, kept].every((path) => readdirSync(path).length === 1));
    expect([living, shared, other, kept].map((path) => readdirSync(path))).toEqual([
      [mark(process.ppid)],
      [mark(process.ppid)],
      [],
      ['notes'],
    ]);
    expect(said).toEqual([]);
  });

  it('are removed by the last server of the session', () => {
    left('s', process.ppid);
    const made = directories();
    made.make('s');
    expect(readdirSync(join(parent, 's')).sort()).toEqual([mark(), mark(process.ppid)].sort());
    made.remove();
    expect(readdirSync(join(parent, 's'))).toEqual([mark(process.ppid)]);
    expect(said).toEqual([]);
  });

  it('may be gone before their time', () => {
    const made = directories();
    made.make('s');
    rmSync(parent, { recursive: true });
    made.remove();
    expect(said).toEqual([]);
  });

  it.each<[string, (path: string, elsewhere: string) => void, string]>([
    ['a link to a directory', (path, elsewhere) => symlinkSync(elsewhere, path), 'it is no directory'],
    ['a link to nothing', (path) => symlinkSync('/nowhere/else', path), 'it is no directory'],
    ['a file', (path) => writeFileSync(path, ''), 'it is no directory'],
    ['a directory that others may use', (path) => (mkdirSync(path), chmodSync(path, 0o755)), 'others may use it'],
  ])('are not made where there is %s', (_what, plant, why) => {
    const elsewhere = join(folder, 'elsewhere');
    for (const path of [parent, elsewhere]) mkdirSync(path);
    plant(join(parent, 's'), elsewhere);
    const made = directories();
    made.make('s');
    made.make('s');
    made.remove();
    expect(said).toEqual([expect.stringContaining(`directory of a session: ${join(parent, 's')} is not used: ${why}`)]);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(parent)).toEqual(['s']);
  });

  it('are not made where another user has the parent, or may write to it', () => {
    mkdirSync(parent);
    chmodSync(parent, 0o777);
    directories().make('s');
    expect(said).toEqual([expect.stringContaining('others may write there')]);
    chmodSync(parent, 0o1777);
    directories().make('s');
    expect(readdirSync(parent)).toEqual(['s']);
    said.length = 0;
    if (process.getuid?.() === 0) lchownSync(parent, 4242, 4242);
    jest.spyOn(process, 'getuid').mockReturnValue(4343);
    directories().make('t');
    expect(said).toEqual([expect.stringMatching(/belongs to user \d+ \(OLLIE_TMP_PATH names another place\)/)]);
    expect(readdirSync(parent)).toEqual(['s']);
  });

  it('are not made through a link that another user has put there', () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, parent);
    if (process.getuid?.() === 0) lchownSync(parent, 4242, 4242);
    if (process.getuid?.() !== 0) jest.spyOn(process, 'getuid').mockReturnValue(4343);
    directories().make('s');
    expect(said).toEqual([expect.stringContaining('belongs to user')]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
