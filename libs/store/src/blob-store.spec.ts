import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { silentLog } from '#config';
import { SessionStore } from './session-store.js';
import { type StoreDisk, storeDisk } from './store-disk.js';

describe('blobs and a loss of power', () => {
  let data: string;
  let did: string[];
  let store: SessionStore;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-blobs-'));
    did = [];
    store = new SessionStore(data, silentLog, recorded());
  });
  afterEach(() => {
    store.close();
    rmSync(data, { recursive: true });
  });

  /** Says what is made to last, in order. */
  function recorded(): StoreDisk {
    const nameOf = (path: string): string => (path.includes('/blobs/') ? 'blob' : basename(path));
    return {
      ...storeDisk,
      sync: async (path) => {
        await storeDisk.sync(path);
        did.push(`${nameOf(path)} synced`);
      },
      syncNow: (path) => {
        storeDisk.syncNow(path);
        did.push(`${nameOf(path)} synced at once`);
      },
      write: async (path, text) => {
        did.push(`${nameOf(path)} written`);
        await storeDisk.write(path, text);
      },
    };
  }
  const path = (hash: string): string => join(data, 'blobs', hash.slice(0, 2), hash);

  it('are in their files when they are put, and nobody waits for the disk', () => {
    const hash = store.blobs.put(Buffer.from('abc'));
    expect(statSync(path(hash)).size).toBe(3);
    expect(did).toEqual([]);
  });

  it('last before a snapshot does that speaks of them, and are synced once', async () => {
    const files = store.agent('a');
    store.blobs.put(Buffer.from('abc'));
    await files.renewSnapshot(() => ({ n: 1 }));
    expect(did).toEqual(['blob synced', 'a.json.new.tmp written']);
    store.blobs.put(Buffer.from('def'));
    files.replaceSnapshot({ n: 2 });
    expect(did.slice(2)).toEqual(['blob synced at once']);
    await files.sync();
    expect(did).toHaveLength(3);
  });

  it('last before the journal does', async () => {
    store.blobs.put(Buffer.from('abc'));
    await store.agent('a').sync();
    expect(did).toEqual(['blob synced']);
  });

  it('that were torn are not there, and can be put again', () => {
    const hash = store.blobs.put(Buffer.from('abc'));
    for (const tear of [() => truncateSync(path(hash), 1), () => writeFileSync(path(hash), '\0\0\0')]) {
      tear();
      expect(store.blobs.find(hash)).toBeUndefined();
      store.blobs.put(Buffer.from('abc'));
      expect(store.blobs.find(hash)?.toString()).toBe('abc');
    }
  });

  it('are found by nothing but their hash', () => {
    const hash = store.blobs.put(Buffer.from('abc'));
    for (const name of [hash.toUpperCase(), `../${hash.slice(0, 2)}/${hash}`, '', '.']) expect(store.blobs.find(name)).toBeUndefined();
  });

  it('that the disk does not keep fail the snapshot, and are tried again', async () => {
    const failing = new SessionStore(data, silentLog, {
      ...recorded(),
      sync: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })),
    });
    failing.blobs.put(Buffer.from('abc'));
    await expect(failing.agent('b').renewSnapshot(() => ({ n: 1 }))).rejects.toThrow(/^i\/o error: .*EIO/);
    await failing.agent('b').sync();
    failing.agent('b').replaceSnapshot({ n: 1 });
    expect(did).toEqual(['blob synced at once']);
    failing.close();
  });
});
