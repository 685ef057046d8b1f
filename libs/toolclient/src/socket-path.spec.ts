import { mkdtempSync, chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newSocketPath } from './socket-path.js';

describe('the place of a socket', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-sock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is new each time, in a directory for nobody else', () => {
    const runtime = join(folder, 'data', 'run');
    const [a, b] = [newSocketPath(runtime), newSocketPath(runtime)];
    expect(a).not.toBe(b);
    expect(statSync(dirname(a)).mode & 0o777).toBe(0o700);
  });

  it('is refused when the directory is open to others', () => {
    chmodSync(dirname(newSocketPath(folder)), 0o755);
    expect(() => newSocketPath(folder)).toThrow('0700');
  });

  it('is refused with a remedy when there can be no such directory', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => newSocketPath(join(folder, 'file', 'run'))).toThrow(
      /^i\/o error: toolsrv: no directory for its socket: .*ENOTDIR.*; set XDG_RUNTIME_DIR to a directory of your own$/,
    );
  });

  it('is refused with a remedy when it is too long for a socket', () => {
    expect(() => newSocketPath(join(folder, 'x'.repeat(90)))).toThrow(
      /^i\/o error: toolsrv: socket path .* has 1\d\d bytes, 107 are possible; set XDG_RUNTIME_DIR to a shorter directory$/,
    );
  });
});
