import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClosedPlace, GrantClass } from './policy.js';
import { closureOf, withhold } from './withhold.js';

describe('grants without closed places', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-withhold-')));
    for (const name of ['a/own/tools', 'a/own/other', 'a/b', 'c']) mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, 'a/file'), '');
    symlinkSync(join(root, 'c'), join(root, 'a/link'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const place = (path: string, most?: GrantClass): ClosedPlace => ({ path: join(root, path), most, why: 'shut' });
  const left = (path: string, access: GrantClass, closed: readonly ClosedPlace[]) => {
    const { grants, notes } = withhold([{ path: join(root, path), access, origin: 'o' }], closed);
    return { grants: grants.map((grant) => `${grant.access} ${grant.path.slice(root.length)}`).toSorted(), notes };
  };

  it.each<readonly [string, string, GrantClass, readonly [string, GrantClass?][], readonly string[]]>([
    ['nothing closed', 'a', 'rwx', [], ['rwx /a']],
    ['closed elsewhere', 'a', 'rwx', [['c']], ['rwx /a']],
    ['the closed place itself', 'a/own', 'rwx', [['a/own']], []],
    ['below it', 'a/own/other', 'ro', [['a/own']], []],
    ['a name that only begins alike', 'a/b', 'ro', [['a/bb']], ['ro /a/b']],
    ['above it: the entries beside it, no link', 'a', 'rwx', [['a/own']], ['rwx /a/b', 'rwx /a/file']],
    ['far above it', '.', 'ro', [['a/own']], ['ro /a/b', 'ro /a/file', 'ro /c']],
    ['one that does not exist', 'a', 'rw', [['a/later']], ['rw /a/b', 'rw /a/file', 'rw /a/own']],
    ['one with an opening in it', 'a', 'rwx', [['a/own'], ['a/own/tools', 'rox']], ['rox /a/own/tools', 'rwx /a/b', 'rwx /a/file']],
    ['the opening itself', 'a/own/tools', 'rwx', [['a/own'], ['a/own/tools', 'rox']], ['rox /a/own/tools']],
    ['a ceiling that is high enough', 'a', 'rox', [['a/own', 'rox']], ['rox /a']],
    ['a ceiling below what is granted', 'a', 'rw', [['a/own', 'rox']], ['ro /a', 'rw /a/b', 'rw /a/file']],
    [
      'two ceilings',
      'a',
      'rwx',
      [
        ['a/own', 'rox'],
        ['a/b', 'ro'],
      ],
      ['ro /a', 'rox /a/own', 'rwx /a/file'],
    ],
    ['a ceiling beside a closed place', 'a', 'rwx', [['a/own', 'rox'], ['a/b']], ['rox /a/own', 'rwx /a/file']],
    ['two closed places', 'a', 'ro', [['a/own'], ['a/b']], ['ro /a/file']],
  ])('%s', (_what, path, access, closed, expected) => {
    const places = closed.map(([where, most]) => place(where, most));
    expect(left(path, access, places).grants).toEqual(expected);
  });

  it('say what became of a grant', () => {
    expect(left('a', 'rwx', [place('a/own')]).notes).toEqual([
      `o: ${root}/a is granted around ${root}/a/own (shut): beside them only what is there now`,
    ]);
    expect(left('a/own', 'ro', [place('a/own')]).notes).toEqual([`o: ${root}/a/own is shut; not granted`]);
    expect(left('a/own', 'rwx', [place('a/own', 'rox')]).notes).toEqual([`o: ${root}/a/own is shut; granted as rox at most`]);
    expect(left('a', 'ro', [place('c')]).notes).toEqual([]);
  });

  it('decide by the deepest place, of equal ones by the last', () => {
    const places = [place('a'), place('a/own', 'ro'), place('a/own', 'rox')];
    expect(closureOf(join(root, 'a/own/x'), places)?.most).toBe('rox');
    expect(closureOf(join(root, 'a/b'), places)).toBe(places[0]);
    expect(closureOf(root, places)).toBeUndefined();
  });
});
