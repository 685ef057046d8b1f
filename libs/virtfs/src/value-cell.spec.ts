import { InterruptedFileError } from './errors.js';
import type { Client } from './types.js';
import { ValueCell } from './value-cell.js';

const NEVER = new AbortController().signal;
const client = (tag: string, leader?: string): Client => ({
  role: 'user',
  uname: 'u',
  aname: '',
  tag,
  ...(leader !== undefined && { leader }),
});
const A = client('5.10.100', '5');
const SIBLING = client('5.11.200', '5');
const STRANGER = client('6.12.300', '6');

/** What a look gives at once, or `waits`. */
async function look(cell: ValueCell<string>, who: Client): Promise<string> {
  const stop = new AbortController();
  const next = cell.next(who, stop.signal);
  const later = new Promise<string>((resolve) => setTimeout(resolve, 10, 'waits'));
  const outcome = await Promise.race([next, later]);
  stop.abort();
  await Promise.allSettled([next]);
  return outcome;
}

describe('ValueCell', () => {
  it('makes a first look wait for the next change', async () => {
    const cell = new ValueCell('idle');
    cell.set('running');
    expect(await look(cell, A)).toBe('waits');
    const next = cell.next(STRANGER, NEVER);
    cell.set('idle');
    expect(await next).toBe('idle');
  });

  it('gives what changed between two looks at once, and the newest of several', async () => {
    const cell = new ValueCell('idle');
    await look(cell, A);
    for (const state of ['running', 'idle', 'running']) cell.set(state);
    expect(await look(cell, A)).toBe('running');
    expect(await look(cell, A)).toBe('waits');
  });

  it('tells of a change back to the value that the client knows', async () => {
    const cell = new ValueCell('idle');
    await look(cell, A);
    cell.set('running');
    cell.set('idle');
    expect(await look(cell, A)).toBe('idle');
  });

  it('counts an equal value as no change', async () => {
    const cell = new ValueCell('idle');
    await look(cell, A);
    cell.set('idle');
    expect(cell.version).toBe(0);
    expect(await look(cell, A)).toBe('waits');
  });

  it('wakes every waiter with the same change', async () => {
    const cell = new ValueCell('idle');
    const waiting = [A, A, SIBLING, STRANGER].map((who) => cell.next(who, NEVER));
    cell.set('running');
    cell.set('idle');
    expect(await Promise.all(waiting)).toEqual(['running', 'running', 'running', 'running']);
    expect(await look(cell, A)).toBe('idle');
  });

  it('lets the clients of a marked session leader start from the mark, however fast the turn was', async () => {
    const cell = new ValueCell('idle');
    cell.set('running');
    cell.markSeen(A);
    cell.set('idle');
    expect(await look(cell, SIBLING)).toBe('idle');
    expect(await look(cell, SIBLING)).toBe('waits');
    expect(await look(cell, STRANGER)).toBe('waits');
  });

  it('makes the change that was marked count as seen for a client that had looked before', async () => {
    const cell = new ValueCell('idle');
    await look(cell, SIBLING);
    cell.set('running');
    cell.markSeen(A);
    expect(await look(cell, SIBLING)).toBe('waits');
    cell.set('idle');
    expect(await look(cell, SIBLING)).toBe('idle');
  });

  it('takes a client without leader for its own', async () => {
    const cell = new ValueCell('idle');
    const alone = client('connection 1');
    cell.set('running');
    cell.markSeen(alone);
    cell.set('idle');
    expect(await look(cell, alone)).toBe('idle');
    expect(await look(cell, client('connection 2'))).toBe('waits');
  });

  it('forgets the client unused for longest beyond 1,024 of them', async () => {
    const cell = new ValueCell('idle');
    const first = Array.from({ length: 1023 }, (_, i) => client(`c${i}`));
    await Promise.all([A, ...first, A, client('one too many')].map((who) => look(cell, who)));
    cell.set('running');
    expect(await look(cell, A)).toBe('running');
    expect(await look(cell, client('c1'))).toBe('running');
    expect(await look(cell, client('c0'))).toBe('waits');
  });

  it('lets an interrupted look go and loses no change by it', async () => {
    const cell = new ValueCell('idle');
    const stop = new AbortController();
    const next = cell.next(A, stop.signal);
    stop.abort();
    await expect(next).rejects.toThrow(InterruptedFileError);
    cell.set('running');
    expect(await look(cell, A)).toBe('running');
  });

  it('gives the last value to everybody at once, and changes no more', async () => {
    const cell = new ValueCell('idle');
    await look(cell, A);
    cell.finish('killed');
    cell.set('idle');
    expect([await look(cell, A), await look(cell, A), await look(cell, STRANGER)]).toEqual(['killed', 'killed', 'killed']);
    expect(cell.finished).toBe(true);
  });

  it('wakes those who wait with the last value', async () => {
    const cell = new ValueCell('idle');
    const next = cell.next(A, NEVER);
    cell.finish('killed');
    expect(await next).toBe('killed');
  });
});

describe('until', () => {
  it('accepts the present value, or the first later one that fits, however short it lasted', async () => {
    const cell = new ValueCell('idle');
    expect(await cell.until((state) => state === 'idle', NEVER)).toBe('idle');
    const running = cell.until((state) => state === 'running', NEVER);
    cell.set('paused');
    cell.set('running');
    cell.set('idle');
    cell.set('running');
    expect(await running).toBe('running');
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const until = new ValueCell('idle').until((state) => state === 'running', stop.signal);
    stop.abort();
    await expect(until).rejects.toThrow(InterruptedFileError);
  });
});
