import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#config';
import { SessionStore } from './session-store.js';
import { type StoreDisk, storeDisk } from './store-disk.js';

const ioError = () => Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', syscall: 'write' });

/** A disk that takes a part of a write and fails then, and may not take that part back either. */
describe.each([false, true])('on a faulty disk (that truncates nothing either: %s)', (isStuck) => {
  let data: string;
  let budget: number;
  let disk: StoreDisk;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-faulty-'));
    budget = Infinity;
    disk = {
      ...storeDisk,
      writeAt: (fd, bytes, offset) => {
        if (budget === 0) throw ioError();
        const done = storeDisk.writeAt(fd, bytes.subarray(0, Math.min(budget, 7)), offset);
        budget -= done;
        return done;
      },
      truncate: (fd, length) => {
        if (isStuck && budget === 0) throw ioError();
        storeDisk.truncate(fd, length);
      },
    };
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const found = () => new SessionStore(data, silentLog).agent('a').load();

  it('an append is refused whole wherever it fails, and those after it come right behind the one before', () => {
    const store = new SessionStore(data, silentLog, disk);
    const files = store.agent('a');
    files.append([{ n: 0 }]);
    const kept: object[] = [{ n: 0 }];
    for (let bytes = 0; bytes < 16; bytes += 1) {
      budget = bytes;
      const lost = () => files.append([{ lost: bytes, text: 'longer than that' }]);
      expect(lost).toThrow(/^i\/o error: a\.jsonl: EIO/);
      expect(lost).toThrow(/EIO/);
      expect(found()).toEqual({ snapshot: undefined, records: kept, isDamaged: false });
      budget = Infinity;
      files.append([{ n: bytes }]);
      kept.push({ n: bytes });
      expect(found().records).toEqual(kept);
    }
    store.close();
  });

  it('nothing of a refused append shows behind the next one, also where whole lines of it were written', () => {
    const store = new SessionStore(data, silentLog, disk);
    const files = store.agent('a');
    files.append([{ n: 0 }]);
    budget = 60;
    expect(() => files.append([{ lost: 1, text: 'longer than the next' }, { lost: 2 }, { lost: 3 }])).toThrow(/EIO/);
    budget = Infinity;
    files.append([{ n: 1 }]);
    expect(found()).toEqual({ snapshot: undefined, records: [{ n: 0 }, { n: 1 }], isDamaged: false });
    store.close();
  });

  it('a snapshot stays right whose journal could not begin anew', async () => {
    const store = new SessionStore(data, silentLog, disk);
    const files = store.agent('a');
    files.append([{ n: 0 }]);
    budget = 3;
    await expect(files.renewSnapshot(() => ({ sum: 1 }))).rejects.toThrow(/EIO/);
    expect(found()).toMatchObject({ snapshot: { sum: 1 }, records: [], isDamaged: false });
    budget = Infinity;
    files.append([{ n: 1 }]);
    expect(found()).toMatchObject({ snapshot: { sum: 1 }, records: [{ n: 1 }], isDamaged: false });
    store.close();
  });

  it('a transcript goes on in memory, and is whole in the file afterwards', () => {
    const store = new SessionStore(data, silentLog, disk);
    const { raw } = store.agent('a');
    for (const [index, text] of ['one ', 'two ', 'three ', 'four '].entries()) {
      budget = index % 2 === 1 ? 2 : Infinity;
      raw.append(Buffer.from(text));
    }
    budget = Infinity;
    raw.append(Buffer.from('five'));
    expect(readFileSync(join(data, 'sessions/a.chat'), 'utf8')).toBe('one two three four five');
    store.close();
  });
});
