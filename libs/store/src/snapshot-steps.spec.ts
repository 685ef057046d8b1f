import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#config';
import type { AgentFiles } from './agent-files.js';
import { SessionStore } from './session-store.js';
import { type StoreDisk, storeDisk } from './store-disk.js';

const LONG = 'x'.repeat(1_100_000);

/** A snapshot that is written while the agent goes on, and a sudden death at each step of that. */
describe('a snapshot that is written beside other work', () => {
  let data: string;
  let files: AgentFiles;
  let live: SessionStore;
  let written: number[];
  let copies: number;
  let steps: number;
  let atStep: (step: number) => void;

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-steps-'));
    written = [];
    [copies, steps] = [0, 0];
    atStep = () => undefined;
    live = new SessionStore(join(data, 'live'), silentLog, stepped());
    files = live.agent('a');
  });
  afterEach(() => {
    live.close();
    rmSync(data, { recursive: true });
  });

  /** Stops before and after each thing that is done to the disk. */
  function stepped(): StoreDisk {
    const stop = async (work: () => Promise<void>): Promise<void> => {
      atStep((steps += 1));
      await work();
      atStep((steps += 1));
    };
    return {
      ...storeDisk,
      write: (path, text) => stop(() => storeDisk.write(path, text)),
      rename: (from, to) => stop(() => storeDisk.rename(from, to)),
      syncDirectory: (path) => stop(() => storeDisk.syncDirectory(path)),
      remove: (path) => stop(() => storeDisk.remove(path)),
    };
  }

  function append(text = ''): void {
    files.append([{ n: written.length, text }]);
    written.push(written.length);
  }

  const state = () => ({ numbers: [...written] });

  /** What a process would find that is started now, and after one more record of its own. */
  function checkDeath(change: (path: string) => void = () => undefined): void {
    const copy = join(data, `copy${String((copies += 1))}`);
    cpSync(join(data, 'live'), copy, { recursive: true });
    change(join(copy, 'sessions/a'));
    const store = new SessionStore(copy, silentLog);
    const next = store.agent('a');
    expect(found(next)).toEqual(written);
    next.append([{ n: written.length }]);
    store.close();
    expect(found(new SessionStore(copy, silentLog).agent('a'))).toEqual([...written, written.length]);
  }

  function found(from: AgentFiles): readonly number[] {
    const { snapshot, records, isDamaged } = from.load();
    expect(isDamaged).toBe(false);
    return [snapshot?.numbers ?? [], records.map(({ n = -1 }) => n)].flat().map(Number);
  }

  const cases = ['nothing', ...Array.from({ length: 8 }, (_none, step) => String(step + 1)), 'all'];
  for (const text of ['', LONG]) {
    it.each(cases)(`loses nothing that is appended meanwhile, of a ${text ? 'long' : 'short'} journal (at step: %s)`, async (when) => {
      append(text);
      append();
      atStep = (step) => {
        if (when === 'all' || when === String(step)) append();
        checkDeath();
      };
      for (let round = 0; round < 3; round += 1) {
        steps = 0;
        await files.renewSnapshot(state);
        checkDeath();
        append();
        checkDeath();
      }
      expect(steps).toBe(8);
    });
  }

  it.each(
    cases.slice(1, -1).flatMap((step) => [
      ['short', step, ''],
      ['long', step, LONG],
    ]),
  )('loses nothing of a %s journal where another is written at once at step %s', async (_what, when, text) => {
    append(text);
    atStep = (step) => {
      append();
      if (String(step) === when) files.replaceSnapshot(state());
      append();
      checkDeath();
    };
    await files.renewSnapshot(state);
    checkDeath();
    atStep = () => checkDeath();
    await files.renewSnapshot(state);
    checkDeath();
    expect(files.hasRecords).toBe(false);
  });

  it('is right where the process dies while the journal begins anew', async () => {
    append();
    await files.renewSnapshot(state);
    checkDeath((path) => truncateSync(`${path}.jsonl`, 0));
    checkDeath((path) => truncateSync(`${path}.jsonl`, 10));
    expect(copies).toBe(2);
  });

  it('is right where a loss of power took a part of the journal that it has', async () => {
    append();
    atStep = (step) => step === 8 && append();
    await files.renewSnapshot(state);
    written.pop();
    checkDeath((path) => truncateSync(`${path}.jsonl`, '{"t":"journal","generation":0}\n'.length));
    expect(copies).toBe(1);
  });

  it('begins the journal anew where nothing came in between, or much is in it', async () => {
    append();
    await files.renewSnapshot(state);
    expect(readFileSync(join(data, 'live/sessions/a.jsonl'), 'utf8')).toBe('{"t":"journal","generation":1}\n');
    append(LONG);
    atStep = (step) => step === 2 && append();
    steps = 0;
    await files.renewSnapshot(state);
    expect(readFileSync(join(data, 'live/sessions/a.jsonl'), 'utf8')).toBe('{"t":"journal","generation":2}\n{"n":2,"text":""}\n');
  });

  it('leaves all as it was where the disk refuses it', async () => {
    append();
    atStep = (step) => {
      if (step === 3) throw new Error('refused');
    };
    await expect(files.renewSnapshot(state)).rejects.toThrow(/^i\/o error: .*refused/);
    expect(files.hasSnapshot).toBe(false);
    checkDeath();
    steps = 10;
    await files.renewSnapshot(state);
    expect(files.hasSnapshot).toBe(true);
    checkDeath();
  });

  it('loses nothing where the disk takes it but does not say that it is there to stay', async () => {
    let isBroken = true;
    const syncDirectoryNow = (): void => {
      if (isBroken) throw new Error('EIO: i/o error, fsync');
    };
    live.close();
    live = new SessionStore(join(data, 'live'), silentLog, { ...stepped(), syncDirectoryNow });
    files = live.agent('a');
    append();
    expect(() => files.replaceSnapshot(state())).toThrow(/fsync/);
    append(LONG);
    checkDeath();
    atStep = (step) => step === 2 && append();
    await expect(files.renewSnapshot(state)).rejects.toThrow(/fsync/);
    append();
    checkDeath();
    isBroken = false;
    files.replaceSnapshot(state());
    append();
    checkDeath();
  });

  it('is put off, and not written twice at a time', async () => {
    append();
    await files.renewSnapshot(() => undefined);
    expect(files.hasSnapshot).toBe(false);
    await Promise.all([files.renewSnapshot(state), files.renewSnapshot(state)]);
    expect(steps).toBe(8);
  });

  it('is one of at most two', async () => {
    let [now, most] = [0, 0];
    const write: StoreDisk['write'] = async (path, text) => {
      most = Math.max(most, (now += 1));
      await storeDisk.write(path, text);
      now -= 1;
    };
    const store = new SessionStore(join(data, 'many'), silentLog, { ...storeDisk, write });
    const all = Array.from({ length: 20 }, (_none, number) => store.agent(String(number)));
    for (const one of all) void one.renewSnapshot(() => ({}));
    expect(most).toBe(0);
    await store.idle();
    expect(all.every(({ hasSnapshot }) => hasSnapshot)).toBe(true);
    expect(most).toBe(2);
  });
});
