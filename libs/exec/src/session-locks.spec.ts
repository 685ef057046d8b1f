import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '#config';
import { fakeTool } from '#testkit';
import type { Release } from './read-write-lock.js';
import { SessionDirectories } from './session-directories.js';
import { SessionLocks, type SharedCall } from './session-locks.js';

const signal = new AbortController().signal;
const [reads, writes, other] = [
  fakeTool({ name: 'reads', parallel: 'read' }),
  fakeTool({ name: 'writes', parallel: 'write' }),
  fakeTool({ name: 'other', parallel: 'none' }),
];

let parent: string;
let locks: SessionLocks;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'locks-'));
  locks = new SessionLocks(new SessionDirectories(parent, silentLog));
});
afterEach(() => rmSync(parent, { recursive: true }));

/** What gives it back, or undefined for a call that has to wait. */
async function start(tool: SharedCall['tool'], more: Partial<SharedCall> = {}): Promise<Release | undefined> {
  return Promise.race([locks.take({ session: 's', background: false, tool, ...more }, signal), turn(undefined)]);
}

describe('calls of a session', () => {
  it('that read run side by side, and wait for one that writes', async () => {
    const [first, second] = [await start(reads), await start(reads)];
    expect([first, second, await start(writes)]).toEqual([expect.any(Function), expect.any(Function), undefined]);
    expect(await start(reads)).toBeUndefined();
  });

  it('of other sessions, or of none, mind no call of it', async () => {
    await start(writes);
    expect([await start(writes, { session: 't' }), await start(writes, { session: '' })]).toEqual([
      expect.any(Function),
      expect.any(Function),
    ]);
    expect(await start(writes)).toBeUndefined();
  });

  it.each<[string, SharedCall['tool'], Partial<SharedCall>]>([
    ['neither read nor write', other, {}],
    ['run in the background', fakeTool({ name: 'x', parallel: 'write' }), { background: true }],
    ['may ask other agents', fakeTool({ name: 'x', parallel: 'write' }, { hasDoor: true }), {}],
  ])('that %s wait for nobody, and nobody waits for them', async (_what, tool, more) => {
    const writing = await start(writes);
    expect(await start(tool, more)).toEqual(expect.any(Function));
    writing?.();
    expect(await start(writes)).toEqual(expect.any(Function));
  });

  it('leave nothing of a session that has none any more', async () => {
    const [first, second] = [await start(reads), await start(reads)];
    const waiting = new AbortController();
    const refused = locks.take({ session: 's', background: false, tool: writes }, waiting.signal);
    await start(writes, { session: 't' });
    first?.();
    expect(locks.count).toBe(2);
    waiting.abort(new Error('enough'));
    await expect(refused).rejects.toThrow('enough');
    second?.();
    expect(locks.count).toBe(1);
    (await start(writes))?.();
    expect(locks.count).toBe(1);
  });

  it('that are cancelled already do not begin', async () => {
    const call = { session: 's', background: false, tool: other };
    await expect(locks.take(call, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('have a directory, whatever they do', async () => {
    await start(other);
    expect(readdirSync(parent)).toEqual(['s']);
  });
});
