import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { logTo, type LogThreshold } from './log.js';
import { FileSink, StderrSink, type LogSink } from './log-sink.js';

class MemorySink implements LogSink {
  text = '';
  write(line: string): void {
    this.text += line;
  }
  async flush(): Promise<void> {}
}

function levelsOf(threshold: LogThreshold): string {
  const sink = new MemorySink();
  const log = logTo([sink], 't', threshold);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('x');
  return sink.text.replace(/^\S+ (\w+) .*$/gm, '$1').trim();
}

describe('a log', () => {
  it('writes time, level, tag and text in one line', () => {
    const sink = new MemorySink();
    logTo([sink], 'toolsrv', 'info').warn('one\ntwo \u001b[31m');
    expect(sink.text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z warn toolsrv: one\\ntwo \\x1b\[31m\n$/);
  });

  it.each([
    ['debug', 'debug\ninfo\nwarn\nerror'],
    ['warn', 'warn\nerror'],
    ['off', ''],
  ] as const)('at %s it lets pass %j', (threshold, levels) => {
    expect(levelsOf(threshold)).toBe(levels);
  });

  it('appends to a file that only the user can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ollie-log-'));
    const file = join(folder, 'a.log');
    for (const text of ['one', 'two']) {
      const log = logTo([new FileSink(file)], 't', 'info');
      log.info(text);
      await log.flush();
    }
    expect(readFileSync(file, 'utf8')).toMatch(/one\n.*two\n$/);
    rmSync(folder, { recursive: true });
  });

  it('outlives a reader that goes away', async () => {
    const out = new PassThrough();
    const log = logTo([new StderrSink(out)], 't', 'info');
    out.emit('error', new Error('EPIPE'));
    log.info('still here');
    await log.flush();
    expect(String(out.read())).toContain('still here');
  });
});
