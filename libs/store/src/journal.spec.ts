import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, logTo, silentLog } from '#config';
import { SessionStore } from './session-store.js';

describe('the journal of an agent', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-store-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const files = (log: Log = silentLog) => new SessionStore(data, log).agent('a');
  const at = (end: string) => join(data, 'sessions', `a${end}`);

  it('is in the file when an append returns, and is read back in order', () => {
    const writer = files();
    writer.append([{ t: 'one' }, { t: 'two', text: 'ä\n' }]);
    writer.append([{ t: 'three' }]);
    expect(files().load()).toEqual({
      snapshot: undefined,
      records: [{ t: 'one' }, { t: 'two', text: 'ä\n' }, { t: 'three' }],
      isDamaged: false,
    });
    expect(statSync(at('.jsonl')).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, 'sessions')).mode & 0o777).toBe(0o700);
  });

  it.each(['{"t":"to', '{"t":"torn"}', ' ', '\u00e4'])(
    'loses a torn last line (%s) and nothing else, and that only with the next append',
    (torn) => {
      files().append([{ t: 'one' }]);
      appendFileSync(at('.jsonl'), torn);
      const before = readFileSync(at('.jsonl'));
      const again = files();
      expect(again.load().records).toEqual([{ t: 'one' }]);
      expect(readFileSync(at('.jsonl'))).toEqual(before);
      again.append([{ t: 'two' }]);
      expect(files().load()).toMatchObject({ records: [{ t: 'one' }, { t: 'two' }], isDamaged: false });
    },
  );

  it('starts anew with each snapshot', () => {
    const writer = files();
    writer.append([{ t: 'one' }]);
    writer.replaceSnapshot({ id: 'a', sum: 1 });
    writer.append([{ t: 'two' }]);
    expect(files().load()).toEqual({
      snapshot: { id: 'a', sum: 1, version: 1, journal: 0, after: '{"t":"journal","generation":0}\n{"t":"one"}\n'.length },
      records: [{ t: 'two' }],
      isDamaged: false,
    });
    expect(readdirSync(join(data, 'sessions')).sort()).toEqual(['a.json', 'a.jsonl', 'killed']);
  });

  it('is passed over when its snapshot is newer: the writer died between the two', () => {
    const writer = files();
    writer.append([{ t: 'one' }]);
    const older = readFileSync(at('.jsonl'));
    writer.replaceSnapshot({ id: 'a' });
    writeFileSync(at('.jsonl'), older);
    const again = files();
    expect(again.load()).toMatchObject({ records: [], isDamaged: false });
    again.append([{ t: 'two' }]);
    expect(files().load().records).toEqual([{ t: 'two' }]);
  });

  it('continues an older snapshot as a whole', () => {
    files();
    writeFileSync(at('.json'), '{"id":"a","sum":1,"version":1,"journal":3}\n');
    writeFileSync(at('.jsonl'), '{"t":"journal","generation":3}\n{"t":"one"}\n');
    const again = files();
    expect(again.load()).toMatchObject({ snapshot: { sum: 1 }, records: [{ t: 'one' }], isDamaged: false });
    again.append([{ t: 'two' }]);
    expect(files().load().records).toEqual([{ t: 'one' }, { t: 'two' }]);
  });

  it('is long above a megabyte, and above the size of its snapshot', () => {
    const writer = files();
    const big = { t: 'x'.repeat(600_000) };
    writer.append([big]);
    expect(writer.isLong).toBe(false);
    writer.append([big]);
    expect(writer.isLong).toBe(true);
    writer.replaceSnapshot({ text: 'x'.repeat(1_500_000) });
    writer.append([big, big]);
    expect(writer.isLong).toBe(false);
    writer.append([big]);
    expect(writer.isLong).toBe(true);
  });

  it.each([
    ['a snapshot that is no JSON', '.json', '{"id":', /a\.json cannot be used: it is no JSON object/],
    ['a snapshot of a newer version', '.json', '{"id":"a","version":99}', /a newer Ollie wrote it \(version 99\)/],
    ['lines that are no records', '.jsonl', '{"t":"journal","generation":0}\nnonsense\n{"t":"one"}\n', /1 lines are no records/],
  ])('sets aside %s, once, and goes on', (_what, end, content, message) => {
    let said = '';
    const log = logTo([{ write: (line) => void (said += line), flush: async () => undefined }], 'test', 'warn');
    files().load();
    writeFileSync(at(end), content);
    const { isDamaged } = files(log).load();
    expect(isDamaged).toBe(true);
    expect(said).toMatch(message);
    const aside = readdirSync(join(data, 'sessions')).filter((name) => name.includes('.bad-'));
    expect(aside.map((name) => readFileSync(at(name.slice(1)), 'utf8'))).toEqual([content]);
    expect(existsSync(at(end))).toBe(false);
    expect(files().load().isDamaged).toBe(false);
  });

  it('says who has work left', () => {
    const store = new SessionStore(data, silentLog);
    store.agent('a').mark(true);
    store.agent('b').mark(true);
    store.agent('b').mark(false);
    expect([...store.working()]).toEqual(['a']);
  });
});
