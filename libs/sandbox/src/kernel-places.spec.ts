import { kernelPlaces, kernelWarnings } from './kernel-places.js';
import type { GrantClass, PathGrant } from './policy.js';
import { withhold } from './withhold.js';

const grant = (access: GrantClass, path: string): PathGrant => ({ access, path, origin: 'here' });

/** What is left of grants, as `class path`. */
function left(uid: number, ...grants: readonly PathGrant[]): readonly string[] {
  return withhold(grants, kernelPlaces(grants, uid)).grants.map(({ access, path }) => `${access} ${path}`);
}

describe('the settings of the kernel', () => {
  it.each(['/proc', '/sys'])('are kept from writing where root grants all of %s', (path) => {
    expect(left(0, grant('rw', path), grant('rwx', path))).toEqual([`ro ${path}`, `rox ${path}`]);
    const { notes } = withhold([grant('rw', path)], kernelPlaces([], 0));
    expect(notes).toEqual([`here: ${path} is where the kernel takes its settings from; granted as ro at most`]);
  });

  it('are kept from writing where root grants the root directory', () => {
    const grants = left(0, grant('rwx', '/'));
    expect(grants).toEqual(expect.arrayContaining(['rox /', 'rwx /etc', 'rwx /usr']));
    expect(grants.filter((text) => /^rwx? \/(proc|sys)?$/.test(text))).toEqual([]);
  });

  it('may be written where a rule of root names them, with a warning', () => {
    const grants = [grant('rw', '/sys/class/gpio'), grant('rw', '/sys')];
    expect(left(0, ...grants)).toEqual(['rw /sys/class/gpio', 'ro /sys']);
    expect(kernelWarnings(grants, 0)).toEqual([
      "here: WARNING: whoever may write to /sys/class/gpio as root can change the kernel's settings",
    ]);
  });

  it('are for the kernel to judge where somebody else grants them, and are read as ever', () => {
    expect(left(1000, grant('rw', '/proc'))).toEqual(['rw /proc']);
    expect(kernelWarnings([grant('rw', '/proc/sys')], 1000)).toEqual([]);
    expect(left(0, grant('rox', '/'), grant('ro', '/proc'))).toEqual(['rox /', 'ro /proc']);
  });
});
