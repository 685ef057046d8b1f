import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientTag } from './client-tag.js';

describe('the tag of a client', () => {
  let proc: string;

  beforeEach(() => {
    proc = mkdtempSync(join(tmpdir(), 'ollie-proc-'));
  });
  afterEach(() => rmSync(proc, { recursive: true }));

  /** A stat line of proc(5); the 22nd field is the start time. */
  function addProcess(name: string, program: string, facts: { parent: number; session: number; start: number }): void {
    mkdirSync(join(proc, name));
    const between = Array.from({ length: 15 }, () => '0').join(' ');
    writeFileSync(join(proc, name, 'stat'), `77 (${program}) S ${facts.parent} 5 ${facts.session} ${between} ${facts.start} 0 0\n`);
  }

  it('names the session leader, the parent and when that started', () => {
    addProcess('self', 'node', { parent: 40, session: 30, start: 999 });
    addProcess('40', 'a) S 1 (sh', { parent: 30, session: 30, start: 1234 });
    expect(clientTag('self', proc)).toBe('30.40.1234');
  });

  it.each([
    ['no session leader', { parent: 40, session: 0, start: 1 }],
    ['init as its parent', { parent: 1, session: 30, start: 1 }],
    ['a parent outside of its namespace', { parent: 0, session: 30, start: 1 }],
    ['a parent that is gone', { parent: 41, session: 30, start: 1 }],
  ])('is left out with %s', (_what, facts) => {
    addProcess('self', 'node', facts);
    for (const name of ['0', '1', '40']) addProcess(name, 'sh', { parent: 1, session: 30, start: 1234 });
    expect(clientTag('self', proc)).toBeUndefined();
  });

  it('is that of any process, by its number', () => {
    addProcess('50', 'cat', { parent: 40, session: 30, start: 999 });
    addProcess('40', 'sh', { parent: 30, session: 30, start: 1234 });
    expect(clientTag(50, proc)).toBe('30.40.1234');
    expect(clientTag(51, proc)).toBeUndefined();
  });
});
