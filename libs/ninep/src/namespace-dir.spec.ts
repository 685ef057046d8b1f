import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ensureOwnDirectory, namespaceDirectory } from './namespace-dir.js';

describe('the namespace directory', () => {
  it.each([
    [{ NAMESPACE: '/run/ns', USER: 'me', DISPLAY: ':1' }, '/run/ns'],
    [{ USER: 'me' }, '/tmp/ns.me.:0'],
    [{ USER: 'me', DISPLAY: '' }, '/tmp/ns.me.:0'],
    [{ NAMESPACE: '', USER: 'me', DISPLAY: ':0' }, '/tmp/ns.me.:0'],
    [{ USER: 'me', DISPLAY: ':0.0' }, '/tmp/ns.me.:0'],
    [{ USER: 'me', DISPLAY: ':1.0' }, '/tmp/ns.me.:1'],
    [{ USER: 'me', DISPLAY: ':0.1' }, '/tmp/ns.me.:0.1'],
    [{ USER: 'me', DISPLAY: 'host:10.0' }, '/tmp/ns.me.host:10'],
    [{ USER: 'me', DISPLAY: '/tmp/launch/:0' }, '/tmp/ns.me._tmp_launch_:0'],
    [{}, `/tmp/ns.${userInfo().username}.:0`],
  ])('of %j is %s', (env, path) => {
    expect(namespaceDirectory(env)).toBe(path);
  });
});

describe('a directory of the user alone', () => {
  let top = '';
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'own-'));
  });
  afterEach(() => rmSync(top, { recursive: true }));

  it('is made with mode 0700, and its parents too, and found again', () => {
    const path = join(top, 'a', 'b');
    ensureOwnDirectory(path);
    ensureOwnDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(top, 'a')).mode & 0o777).toBe(0o700);
  });

  it('is refused when others may enter it', () => {
    const path = join(top, 'open');
    mkdirSync(path);
    chmodSync(path, 0o755);
    expect(() => ensureOwnDirectory(path)).toThrow(`permission denied: ${path} is not a directory of yours with mode 0700`);
  });

  it('is refused when it is a link', () => {
    ensureOwnDirectory(join(top, 'real'));
    symlinkSync(join(top, 'real'), join(top, 'link'));
    expect(() => ensureOwnDirectory(join(top, 'link'))).toThrow('permission denied');
  });

  it('is refused when it is a file', () => {
    writeFileSync(join(top, 'file'), '');
    expect(() => ensureOwnDirectory(join(top, 'file'))).toThrow('EEXIST');
  });
});
