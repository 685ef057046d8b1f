import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#config';
import { SessionStore } from './session-store.js';
import { storeDisk } from './store-disk.js';

describe('the marks of agents with work left', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-marks-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const path = () => join(data, 'sessions/working.log');
  const kept = () => [...new SessionStore(data, silentLog).working()];

  it('are there for the next process, whatever became of this one', () => {
    const store = new SessionStore(data, silentLog);
    for (const id of ['a', 'b', 'c']) store.agent(id).mark(true);
    store.agent('b').mark(false);
    store.forgetWork('c');
    expect([[...store.working()], kept()]).toEqual([['a'], ['a']]);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('say nothing twice', () => {
    const store = new SessionStore(data, silentLog);
    store.agent('a').mark(true);
    const { size } = statSync(path());
    store.agent('a').mark(true);
    store.forgetWork('nobody');
    expect(statSync(path()).size).toBe(size);
  });

  it('stay right behind a line that was torn', () => {
    new SessionStore(data, silentLog).agent('a').mark(true);
    appendFileSync(path(), '-');
    expect(kept()).toEqual(['a']);
    appendFileSync(path(), 'a');
    new SessionStore(data, silentLog).agent('b').mark(true);
    expect(kept()).toEqual(['b']);
    appendFileSync(path(), '+c');
    expect(kept()).toEqual(['b']);
  });

  it('take no more room than the agents that have work, and a little', () => {
    const store = new SessionStore(data, silentLog);
    store.agent('busy').mark(true);
    const files = store.agent('1764498300123456789-a1b2c3');
    for (let turn = 0; turn < 3000; turn += 1) {
      files.mark(true);
      files.mark(false);
    }
    expect(readFileSync(path()).length).toBeLessThan(70_000);
    expect(kept()).toEqual(['busy']);
    files.mark(true);
    expect(kept()).toEqual(['busy', '1764498300123456789-a1b2c3']);
  });

  it('are as before where the disk refuses one', () => {
    let isFull = false;
    const disk: typeof storeDisk = {
      ...storeDisk,
      writeAt: (fd, bytes, offset) => {
        if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
        return storeDisk.writeAt(fd, bytes, offset);
      },
    };
    const store = new SessionStore(data, silentLog, disk);
    store.agent('a').mark(true);
    isFull = true;
    expect(() => store.agent('b').mark(true)).toThrow(/^i\/o error: working\.log: ENOSPC/);
    expect(() => store.forgetWork('a')).toThrow('ENOSPC');
    expect([[...store.working()], kept()]).toEqual([['a'], ['a']]);
    isFull = false;
    store.agent('b').mark(true);
    expect(kept()).toEqual(['a', 'b']);
  });
});
