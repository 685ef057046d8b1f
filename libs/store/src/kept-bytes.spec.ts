import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#config';
import type { AgentFiles } from './agent-files.js';
import { SessionStore } from './session-store.js';

describe('a log whose bytes may wait', () => {
  let data: string;
  let store: SessionStore;
  let files: AgentFiles;

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-bytes-'));
    store = new SessionStore(data, silentLog);
    files = store.agent('a');
    files.plain.append(Buffer.from('a'));
    files.plain.hold();
  });
  afterEach(() => {
    store.close();
    rmSync(data, { recursive: true });
  });

  const kept = () => readFileSync(join(data, 'sessions/a.plain'), 'utf8');
  const append = (text: string) => files.plain.append(Buffer.from(text));
  const shown = () => Buffer.from(files.plain.slice(0, 1)).toString() + Buffer.from(files.plain.slice(1, 10_000)).toString();

  it('has them for readers, and in the file once it is released', () => {
    append('b');
    append('c');
    expect([kept(), shown(), files.plain.length]).toEqual(['a', 'abc', 3]);
    files.plain.release();
    expect([kept(), shown()]).toEqual(['abc', 'abc']);
    append('d');
    expect(kept()).toBe('abcd');
  });

  it('lets 4 KiB wait, and writes them together', () => {
    const letters = Array.from({ length: 4096 }, (_none, index) => String.fromCharCode(97 + (index % 26)));
    for (const letter of letters) append(letter);
    expect(kept()).toBe('a');
    append('!');
    expect(kept()).toBe(`a${letters.join('')}!`);
    expect(shown()).toBe(kept());
    append('x'.repeat(5000));
    expect(statSync(join(data, 'sessions/a.plain')).size).toBe(9098);
  });

  it.each([
    ['lets go of memory', async () => files.rest()],
    ['is to outlive a loss of power', () => files.sync()],
  ])('has them in the file when it %s', async (_when, work) => {
    append('b');
    await work();
    expect([kept(), shown()]).toEqual(['ab', 'ab']);
  });
});
