import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo } from '#config';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import { FakeClock } from '#testkit';
import type { Client } from '#virtfs';
import { BypassBroker } from './bypass-broker.js';
import type { BypassOrder } from './bypass-order.js';
import { sampleOrder as order } from './testing/sample-order.js';

const TIMEOUT_MS = 300_000;
const GRACE_MS = 5_000;

let clock: FakeClock;
let audit: string[];
let broker: BypassBroker;
let reading: AbortController;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'broker-'));
  clock = FakeClock.stopped();
  audit = [];
  const sink = { write: (line: string) => void audit.push(line), flush: () => Promise.resolve() };
  broker = new BypassBroker(clock, logTo([sink], 'toolsrv', 'info'), TIMEOUT_MS);
  reading = new AbortController();
});
afterEach(() => rmSync(home, { recursive: true }));

const observer = (tag: string, aname = ''): Client => ({ role: 'user', uname: 'observer', aname, tag });
const never = new AbortController().signal;
const read = (tag: string, signal = reading.signal): Promise<string> => broker.pending.next(observer(tag), signal);
const answer = (text: JsonObject, tag = 'one'): void => broker.resolve(JSON.stringify(text), observer(tag));

function shown(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new Error('no object');
  return value;
}
const idOf = async (text: Promise<string>): Promise<unknown> => shown(await text)['id'];

/** How the call ended: `approved` or the text of its refusal. */
function ask(more: Partial<BypassOrder> = {}, signal = never): Promise<string> {
  return broker.ask({ ...order, ...more }, signal).then(
    () => 'approved',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Lets everything that is due happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await settle();
}

/** An observer that has read once and reads no more. */
async function visit(): Promise<void> {
  const visitor = new AbortController();
  const left = read('visitor', visitor.signal).catch(() => 'left');
  visitor.abort();
  await left;
}

const STILL = Symbol('still waiting');
const soFar = async (promise: Promise<unknown>): Promise<unknown> => {
  await settle();
  return Promise.race([promise, Promise.resolve(STILL)]);
};

describe('asking observers', () => {
  test('an observer that waits is given the request, and its answer is the call’s', async () => {
    const waiting = read('one');
    const asked = ask();
    expect(shown(await waiting)).toMatchObject({
      id: 'b-1',
      agent: 'a-1',
      tool: 'shell',
      command: 'apt update',
      cwd: '/',
      env: { HOME: '/h' },
      ts: clock.now(),
      expires: clock.now() + TIMEOUT_MS,
    });
    answer({ id: 'b-1', approved: true });
    expect(await asked).toBe('approved');
  });

  test.each<[JsonObject, string]>([
    [{ error: 'no' }, 'bypass rejected: no'],
    [{ approved: false }, 'bypass rejected: rejected'],
    [{ approved: false, error: 'later' }, 'bypass rejected: later'],
  ])('%j is a rejection', async (words, text) => {
    const waiting = read('one');
    const asked = ask();
    await waiting;
    answer({ id: 'b-1', ...words });
    expect(await asked).toBe(text);
  });

  test('each client is given every request once, the oldest first, also at its first look', async () => {
    await visit();
    const asked = ['x', 'y', 'z'].map((cmd) => ask({ args: { cmd } }));
    expect([await idOf(read('one')), await idOf(read('two')), await idOf(read('one'))]).toEqual(['b-1', 'b-1', 'b-2']);
    answer({ id: 'b-1', approved: true });
    expect([await idOf(read('two')), await idOf(read('one')), await idOf(read('two'))]).toEqual(['b-2', 'b-3', 'b-3']);
    expect(await soFar(Promise.race([read('one'), read('two')]))).toBe(STILL);
    answer({ id: 'b-2', approved: true });
    answer({ id: 'b-3', approved: true });
    expect(await Promise.all(asked)).toEqual(['approved', 'approved', 'approved']);
  });

  test('two reads of one client share the requests, reads of two clients do not', async () => {
    const reads = [read('one'), read('one'), read('two'), read('two')].map(idOf);
    void ask();
    void ask();
    expect(await Promise.all(reads)).toEqual(['b-1', 'b-2', 'b-1', 'b-2']);
  });

  test('a read that is interrupted takes nothing, not even when the request came just before', async () => {
    const interrupted = new AbortController();
    const first = read('one', interrupted.signal);
    void ask();
    interrupted.abort();
    await expect(first).rejects.toThrow('interrupted');
    expect(await idOf(read('one'))).toBe('b-1');
  });
});

describe('answers', () => {
  test('the first one counts; a later one, an unknown id and an answered one are no such request', async () => {
    const waiting = read('one');
    const asked = ask();
    await waiting;
    answer({ id: 'b-1', error: 'first' }, 'two');
    expect(() => answer({ id: 'b-1', approved: true })).toThrow('no such request: b-1');
    expect(() => answer({ id: 'b-12', approved: true })).toThrow('no such request: b-12');
    expect(() => answer({ id: '\u001b[2J' + 'x'.repeat(500), approved: true })).toThrow(/^no such request: \\x1b\[2Jx{60}$/);
    expect(await asked).toBe('bypass rejected: first');
  });

  test('one with the hash of another request does not count', async () => {
    const waiting = read('one');
    const asked = ask();
    const { hash = '' } = shown(await waiting);
    expect(() => answer({ id: 'b-1', approved: true, hash: 'f'.repeat(64) })).toThrow('illegal argument: the hash is not that of b-1');
    answer({ id: 'b-1', approved: true, hash });
    expect(await asked).toBe('approved');
  });

  test('an approval for a directory that has been replaced lets nothing run', async () => {
    const cwd = join(home, 'project');
    mkdirSync(cwd);
    const waiting = read('one');
    const asked = ask({ cwd });
    await waiting;
    renameSync(cwd, join(home, 'away'));
    symlinkSync('/etc', cwd);
    answer({ id: 'b-1', approved: true });
    expect(await asked).toBe('bypass rejected: the working directory is another one now');
  });

  test('nor one for a directory that was removed and made anew, under the number that became free', async () => {
    const cwd = join(home, 'project');
    mkdirSync(cwd);
    const waiting = read('one');
    const asked = ask({ cwd });
    await waiting;
    rmSync(cwd, { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 20)); // file systems tell times by the kernel's tick
    mkdirSync(cwd);
    answer({ id: 'b-1', approved: true });
    expect(await asked).toBe('bypass rejected: the working directory is another one now');
  });
});

describe('requests without an answer', () => {
  test('time out, and can then no longer be answered', async () => {
    const waiting = read('one');
    const asked = ask();
    await waiting;
    await advance(TIMEOUT_MS - 1);
    expect(await soFar(asked)).toBe(STILL);
    await advance(1);
    expect(await asked).toBe('bypass timed out after 300s');
    expect(() => answer({ id: 'b-1', approved: true })).toThrow('no such request: b-1');
  });

  test('cannot be approved after their time either when the timer is late', async () => {
    const waiting = read('one');
    const asked = ask();
    await waiting;
    clock.advance(TIMEOUT_MS);
    expect(() => answer({ id: 'b-1', approved: true })).toThrow('no such request: b-1');
    expect(await asked).toBe('bypass timed out after 300s');
  });

  test('are withdrawn when their call is cancelled', async () => {
    const call = new AbortController();
    const waiting = read('one');
    const asked = ask({}, call.signal);
    await waiting;
    call.abort();
    expect(await asked).toBe('cancelled');
    expect(() => answer({ id: 'b-1', approved: true })).toThrow('no such request: b-1');
    expect(await soFar(read('two'))).toBe(STILL);
  });

  test('leave no timer behind', async () => {
    const waiting = read('one');
    const asked = ask();
    await waiting;
    answer({ id: 'b-1', approved: true });
    await asked;
    await advance(GRACE_MS);
    expect(clock.sleeping).toBe(0);
  });
});

describe('whether an observer is there', () => {
  test('without one a call is refused at once', async () => {
    expect(await ask()).toBe('bypass unavailable: no observer');
  });

  test('one counts while it reads, and 5 s after', async () => {
    const observing = read('one').catch(() => 'left');
    await advance(TIMEOUT_MS);
    expect(await soFar(ask())).toBe(STILL);
    answer({ id: 'b-1', approved: true });
    await observing;
    await advance(GRACE_MS - 1);
    expect(await soFar(ask())).toBe(STILL);
    await advance(1);
    expect(await ask()).toBe('bypass unavailable: no observer');
  });

  test('a request that nobody has been given is refused when the 5 s are over', async () => {
    await visit();
    const asked = ask();
    await advance(GRACE_MS - 1);
    expect(await soFar(asked)).toBe(STILL);
    await advance(1);
    expect(await asked).toBe('bypass unavailable: no observer');
  });

  test('an observer that comes back in time gets what was asked meanwhile', async () => {
    await visit();
    const asked = ask();
    await advance(GRACE_MS - 1);
    expect(await idOf(read('one'))).toBe('b-1');
    await advance(GRACE_MS * 3);
    expect(await soFar(asked)).toBe(STILL);
  });

  test('who thinks about a request is there for the next one too, until it is answered', async () => {
    const waiting = read('one');
    const first = ask();
    await waiting;
    await advance(60_000);
    const second = ask();
    expect(await soFar(second)).toBe(STILL);
    answer({ id: 'b-1', approved: true });
    expect(await first).toBe('approved');
    await advance(GRACE_MS);
    expect(await second).toBe('bypass unavailable: no observer');
  });

  test('who had a request that was withdrawn has 5 s to look for the next one', async () => {
    const waiting = read('one');
    const call = new AbortController();
    void ask({}, call.signal);
    await waiting;
    await advance(60_000);
    const second = ask();
    call.abort();
    await advance(GRACE_MS - 1);
    expect(await soFar(second)).toBe(STILL);
    await advance(1);
    expect(await second).toBe('bypass unavailable: no observer');
  });

  test('an answer that is none is a sign of life as well', async () => {
    expect(() => answer({ id: 'b-9', approved: true })).toThrow('no such request');
    expect(await soFar(ask())).toBe(STILL);
  });
});

describe('limits', () => {
  test('what is too long to be shown whole is rejected without asking', async () => {
    const waiting = read('one');
    expect(await ask({ args: { cmd: `true ${'x'.repeat(40_000)}` } })).toMatch(
      /^bypass rejected: it is too long to be shown whole \(\d+ of 65536 bytes\)$/,
    );
    expect(await soFar(waiting)).toBe(STILL);
    const asked = ask({ args: { cmd: `true ${'x'.repeat(30_000)}` } });
    expect(shown(await waiting)['command']).toHaveLength(30_005);
    answer({ id: 'b-2', approved: true });
    expect(await asked).toBe('approved');
  });

  test('256 requests wait at most', async () => {
    void read('one');
    const asked = Array.from({ length: 256 }, () => ask());
    expect(await ask()).toBe('bypass rejected: too many requests are waiting');
    answer({ id: 'b-256', approved: true });
    expect(await asked[255]).toBe('approved');
    expect(await soFar(ask())).toBe(STILL);
  });
});

describe('the log', () => {
  const events = (): unknown[] => audit.map((line) => shown(line.replace(/^\S+ \w+ toolsrv: bypass /, '')));

  test('has one line for each decision: who, what, how', async () => {
    void read('one');
    const call = new AbortController();
    void ask();
    void ask({ args: { cmd: 'rm \u202e x' } });
    void ask({}, call.signal);
    void ask();
    await settle();
    broker.resolve('{"id":"b-1","approved":true}', observer('4711.1.1', 'alice'));
    answer({ id: 'b-2', error: 'no' });
    call.abort();
    await advance(TIMEOUT_MS);
    void ask({ args: { cmd: 'x'.repeat(70_000) } });
    await settle();
    const common = { agent: 'a-1', session: 's-1', tool: 'shell', cwd: '/' };
    expect(events()).toEqual([
      expect.objectContaining({ id: 'b-1', decision: 'approved', by: 'alice (4711.1.1)', command: 'apt update', waitedMs: 0, ...common }),
      expect.objectContaining({ id: 'b-2', decision: 'rejected', by: 'observer (one)', text: 'no', command: 'rm \\u202e x' }),
      expect.objectContaining({ id: 'b-3', decision: 'withdrawn' }),
      expect.objectContaining({ id: 'b-4', decision: 'timed out', waitedMs: TIMEOUT_MS }),
      expect.objectContaining({ id: 'b-5', decision: 'no observer', command: 'x'.repeat(500), characters: 70_000 }),
    ]);
  });

  test('holds nothing of the environment', async () => {
    void read('one');
    void ask({ env: { API_KEY: 'hush', HOME: '/hush' } });
    answer({ id: 'b-1', approved: true });
    expect(audit).toHaveLength(1);
    expect(audit.join()).not.toContain('hush');
  });
});
