import { activate } from '../words/glob.js';
import { MARK } from '../words/unknown.js';
import { PathSets } from './path-sets.js';

const sets = new PathSets(
  new Map([
    ['set', ['/', '/etc', '{HOME}', '{HOME}/.ssh/id_*', '**/.git']],
    ['disk', ['/dev/sd[a-z]*']],
  ]),
  {
    cwd: '/home/dev/p',
    home: '/home/dev',
  },
);

const other = new PathSets(new Map([['any', ['**/.git']]]), { cwd: '/home/dev/p', home: '/home/dev' });

describe('PathSets', () => {
  it.each(['/', '/*', '/*/*', '/etc', '/e*', '/[a-f]*', '/home/dev', '/home/dev/*', '/home/dev/.*', '/x/.git', `/etc/${MARK.tree}`])(
    'meets a member in %s',
    (path) => {
      expect(sets.meets('set', activate(path), false)).toBe(true);
    },
  );

  it.each(['/tmp', '/etc/hosts', '/etc/*.conf', '/home/dev/work', '/home/d', '/home/dev/.ssh/config'])('meets none in %s', (path) => {
    expect(sets.meets('set', activate(path), false)).toBe(false);
  });

  it('meets what lies below only when told', () => {
    expect(sets.meets('set', '/home/dev/.ssh', true)).toBe(true);
    expect(sets.meets('set', '/home/dev/.ssh', false)).toBe(false);
    expect(sets.meets('set', '/home', true)).toBe(true);
    expect(sets.meets('set', activate('/home/dev/.ssh/*'), false)).toBe(true);
  });

  it('holds members and what lies in them', () => {
    expect(sets.holds('disk', '/dev/sda1')).toBe(true);
    expect(sets.holds('disk', '/dev/null')).toBe(false);
    expect(sets.holds('set', '/etc/hosts')).toBe(true);
    expect(['/x/.git', '/a/b/.git/config', '/.gitx', '/x.git/a'].map((path) => other.holds('any', path))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
