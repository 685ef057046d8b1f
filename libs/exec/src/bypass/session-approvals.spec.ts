import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo, messageOf } from '#config';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import { FakeClock } from '#testkit';
import type { Client } from '#virtfs';
import { BypassBroker } from './bypass-broker.js';
import type { BypassOrder } from './bypass-order.js';
import { sampleOrder as order } from './testing/sample-order.js';

const TIMEOUT_MS = 300_000;
/** Longer than an observer counts as being there. */
const AWAY_MS = 6_000;
const observer: Client = { role: 'user', uname: 'observer', aname: '', tag: 'one' };

let clock: FakeClock;
let audit: string[];
let broker: BypassBroker;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'approvals-'));
  clock = FakeClock.stopped();
  audit = [];
  const sink = { write: (line: string) => void audit.push(line), flush: () => Promise.resolve() };
  broker = new BypassBroker(clock, logTo([sink], 'toolsrv', 'info'), TIMEOUT_MS);
});
afterEach(() => rmSync(home, { recursive: true }));

/** How the call ended: `approved` or the text of its refusal. */
const ask = (more: Partial<BypassOrder> = {}, signal = new AbortController().signal): Promise<string> =>
  broker.ask({ ...order, ...more }, signal).then(() => 'approved', messageOf);

/** The next request, and how its call ends with this answer; undefined = none. */
async function asked(
  more: Partial<BypassOrder>,
  words?: JsonObject,
): Promise<{ readonly shown: JsonObject; readonly end: Promise<string> }> {
  const waiting = broker.pending.next(observer, new AbortController().signal);
  const end = ask(more);
  const shown = parseJson(await waiting);
  if (!isJsonObject(shown)) throw new Error('no object');
  if (words !== undefined) broker.resolve(JSON.stringify({ id: shown['id'], ...words }), observer);
  return { shown, end };
}

const approve = async (more: Partial<BypassOrder> = {}): Promise<void> => {
  expect(await (await asked(more, { approved: true, scope: 'session' })).end).toBe('approved');
};

async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

describe('an approval for the session', () => {
  test('holds for exactly that call, also when nobody is there', async () => {
    await approve();
    await advance(AWAY_MS);
    expect([await ask(), await ask()]).toEqual(['approved', 'approved']);
    const others: Partial<BypassOrder>[] = [
      { session: 's-2' },
      { agent: 'a-2' },
      { args: { cmd: 'apt upgrade' } },
      { env: {} },
      { cwd: home },
      { kind: 'permission' },
    ];
    for (const other of others) expect(await ask(other)).toMatch(/ unavailable: no observer$/);
    expect(await ask({}, AbortSignal.abort())).toBe('cancelled');
  });

  test('is for once where it says nothing else', async () => {
    expect(await (await asked({}, { approved: true })).end).toBe('approved');
    await advance(AWAY_MS);
    expect(await ask()).toBe('bypass unavailable: no observer');
  });

  test('does not hold where the directory has been replaced', async () => {
    const cwd = join(home, 'project');
    mkdirSync(cwd);
    await approve({ cwd });
    renameSync(cwd, join(home, 'away'));
    mkdirSync(cwd);
    await advance(AWAY_MS);
    expect(await ask({ cwd })).toBe('bypass unavailable: no observer');
  });

  test('is in the log each time, with the request that was approved', async () => {
    await approve();
    await ask();
    expect(audit).toEqual([
      expect.stringMatching(
        / warn toolsrv: bypass \{"id":"b-1","decision":"approved","by":"observer \(one\)","scope":"session","waitedMs"/,
      ),
      expect.stringMatching(
        / warn toolsrv: bypass \{"id":"b-2","decision":"approved","by":"observer \(one\)","scope":"session","request":"b-1"/,
      ),
    ]);
  });

  test('of 1,024 others later is forgotten', async () => {
    await approve();
    for (let n = 0; n < 1024; n += 1) await approve({ args: { cmd: `x ${n}` } });
    await advance(AWAY_MS);
    expect([await ask({ args: { cmd: 'x 0' } }), await ask()]).toEqual(['approved', 'bypass unavailable: no observer']);
  });
});

describe('a call that a rule asks about', () => {
  const asking = { kind: 'permission', question: { rule: 'publish', why: 'it cannot be taken back' } } as const;
  const WHY = 'publish: it cannot be taken back';

  test('is told so, with the rule, when it is not approved', async () => {
    expect(await ask(asking)).toBe(`permission unavailable: no observer\n${WHY}`);
    const rejected = await asked(asking, { error: 'no' });
    expect(rejected.shown).toMatchObject({ kind: 'permission', rule: 'publish', why: 'it cannot be taken back' });
    expect(await rejected.end).toBe(`permission rejected: no\n${WHY}`);
    const late = await asked(asking);
    await advance(TIMEOUT_MS);
    expect(await late.end).toBe(`permission timed out after 300s\n${WHY}`);
    expect(audit.join()).toMatch(/toolsrv: permission \{"id":"b-2","decision":"rejected".*"rule":"publish"/);
  });

  test('is told the words of the other question where it is to leave the sandbox as well', async () => {
    expect(await ask({ ...asking, kind: 'bypass' })).toBe('bypass unavailable: no observer');
  });
});
