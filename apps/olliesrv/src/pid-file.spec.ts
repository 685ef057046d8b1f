import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo, silentLog } from '#config';
import { PidFile } from './pid-file.js';

describe('a pid file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-pid-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('tells who serves at a socket, until it is removed', () => {
    const file = new PidFile(`unix!${folder}/ollie`);
    expect(file.read()).toBeUndefined();
    file.write(silentLog);
    expect(new PidFile(`unix!${folder}/ollie`).read()).toBe(process.pid);
    file.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a successor is left alone', () => {
    const file = new PidFile(`unix!${folder}/ollie`);
    file.write(silentLog);
    writeFileSync(join(folder, 'ollie.pid'), '1\n');
    file.remove();
    expect(file.read()).toBe(1);
  });

  it('that cannot be written is a warning and leaves nothing', () => {
    const said: string[] = [];
    const log = logTo([{ write: (line) => void said.push(line), flush: () => Promise.resolve() }], 't', 'warn');
    mkdirSync(join(folder, 'ollie.pid'));
    const file = new PidFile(`unix!${folder}/ollie`);
    file.write(log);
    expect(said).toEqual([expect.stringContaining('no pid file: EISDIR')]);
    expect(file.read()).toBeUndefined();
    file.remove();
    expect(readdirSync(folder)).toEqual(['ollie.pid']);
  });
});
