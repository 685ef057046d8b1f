import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PrivateTmp } from './private-tmp.js';

let parent: string;
beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'private-'))));
afterEach(() => rmSync(parent, { recursive: true }));

describe('temporary directories', () => {
  test('one a session, for the user alone, the same at each call', () => {
    const tmp = new PrivateTmp(parent);
    const [a, b] = [tmp.directoryFor('a'), tmp.directoryFor('b')];
    expect(a).not.toBe(b);
    expect(tmp.directoryFor('a')).toBe(a);
    expect([a, b, dirname(a)].map((directory) => statSync(directory).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  test('whatever a session is called, its directory stays inside', () => {
    const tmp = new PrivateTmp(parent);
    expect(dirname(tmp.directoryFor('../../x'))).toBe(dirname(tmp.directoryFor('')));
  });

  test('removal takes everything; nothing is made before it is needed', () => {
    const tmp = new PrivateTmp(join(parent, 'deep'));
    expect(readdirSync(parent)).toEqual([]);
    writeFileSync(join(tmp.directoryFor('a'), 'file'), 'x');
    tmp.remove();
    expect(readdirSync(join(parent, 'deep'))).toEqual([]);
  });

  test('what a dead server left is removed, what a living one uses is not', () => {
    const [dead, living] = [join(parent, 'ollie-tools-999999999-abc'), join(parent, `ollie-tools-${process.pid}-abc`)];
    mkdirSync(join(dead, 'inner'), { recursive: true });
    mkdirSync(living);
    new PrivateTmp(parent).directoryFor('a');
    expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
  });
});
