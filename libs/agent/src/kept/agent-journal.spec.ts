import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '#config';
import { SessionStore, storeDisk } from '#store';
import { SmallDisk } from '#testkit';
import { AgentJournal } from './agent-journal.js';

(SmallDisk.isPossible ? describe : describe.skip)('what a journal owes to a full disk', () => {
  let disk: SmallDisk;
  let copied: number;
  let store: SessionStore;
  beforeEach(() => {
    disk = new SmallDisk('2m');
    copied = 0;
    const writeAt: typeof storeDisk.writeAt = (fd, bytes, offset) => {
      const done = storeDisk.writeAt(fd, bytes, offset);
      copied += done;
      return done;
    };
    store = new SessionStore(disk.path, silentLog, { ...storeDisk, writeAt });
  });
  afterEach(() => {
    store.close();
    disk.remove();
  });

  const journalOf = (id: string): AgentJournal => {
    const kept = { files: store.agent(id), blobs: store.blobs, isRestored: false, sync: () => undefined, log: silentLog };
    return new AgentJournal(kept, () => ({ id }));
  };
  const numbers = (id: string) =>
    readFileSync(join(disk.path, `sessions/${id}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => String(Object.values(JSON.parse(line) as Record<string, unknown>)));

  it('is encoded once, written little, and all there in its order once there is room', () => {
    const journal = journalOf('a');
    journal.demand({ t: 'first' });
    disk.fill();
    let encoded = 0;
    const many = 3000;
    for (let n = 0; n < many; n += 1) {
      const value = {
        toJSON: () => {
          encoded += 1;
          return n;
        },
      };
      if (n % 3 === 0) journal.defer({ t: 'deferred', value: value as never });
      else journal.note({ t: 'noted', value: value as never });
    }
    expect(encoded).toBeLessThanOrEqual(2 * many);
    expect(copied).toBeLessThan(many * 4096);
    expect(() => journal.demand({ t: 'refused' })).toThrow(/ENOSPC/);
    expect([journal.hasNews, journal.isBehind]).toEqual([true, true]);
    disk.free();
    journal.demand({ t: 'last' });
    const owed = Array.from({ length: many }, (_none, n) => `${n % 3 === 0 ? 'deferred' : 'noted'},${String(n)}`);
    expect(numbers('a')).toEqual(['journal,0', 'made,a', 'first', ...owed, 'last']);
    journal.note({ t: 'more' });
    expect(numbers('a')).toHaveLength(many + 5);
  });

  it('comes behind the first record of an agent that could not be written at all', () => {
    const journal = journalOf('b');
    disk.fill();
    journal.note({ t: 'one' });
    journal.defer({ t: 'two' });
    expect(() => journal.demand({ t: 'refused' })).toThrow(/ENOSPC/);
    disk.free();
    journal.note({ t: 'three' });
    expect(numbers('b')).toEqual(['journal,0', 'made,b', 'one', 'two', 'three']);
  });

  it('is owed no more once a snapshot has it', () => {
    const journal = journalOf('c');
    journal.demand({ t: 'one' });
    journal.defer({ t: 'two' });
    journal.snapshot(() => ({ id: 'c' }));
    expect([journal.hasNews, journal.isBehind]).toEqual([false, false]);
    journal.note({ t: 'three' });
    expect(numbers('c')).toEqual(['journal,1', 'three']);
  });
});
