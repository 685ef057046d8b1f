import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { parseObject } from './parse-object.js';
import { processStart } from './process-start.js';
import { StoreLock } from './store-lock.js';

jest.setTimeout(60_000);

describe('the lock of a store', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-lock-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const lock = () => parseObject(readFileSync(join(data, 'lock'), 'utf8'));

  it('says who has it and where it listens, and is gone once released', async () => {
    const taken = await StoreLock.take(data, 'unix!/run/x');
    expect(lock()).toEqual({ pid: process.pid, start: processStart(process.pid), address: 'unix!/run/x' });
    taken.release();
    expect(existsSync(join(data, 'lock'))).toBe(false);
    (await StoreLock.take(data, '')).release();
  });

  it('is refused while a live process has it, with its number and address', async () => {
    const owner = spawn('sleep', ['60']);
    const start = processStart(owner.pid ?? 0) ?? '';
    await StoreLock.take(data, '').then((own) => own.release());
    writeFileSync(join(data, 'claims', `${String(owner.pid)}.${start}`), 'owner\n');
    writeFileSync(join(data, 'lock'), JSON.stringify({ pid: owner.pid, start, address: 'unix!/there' }));
    await expect(StoreLock.take(data, '')).rejects.toThrow(`belongs to olliesrv (pid ${String(owner.pid)}, listening on unix!/there)`);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    (await StoreLock.take(data, 'unix!/new')).release();
  });

  it('of a process whose number another one has now is taken over', async () => {
    await StoreLock.take(data, '').then((own) => own.release());
    writeFileSync(join(data, 'claims', '1.999999999999'), 'owner\n');
    (await StoreLock.take(data, '')).release();
    expect(existsSync(join(data, 'claims', '1.999999999999'))).toBe(false);
  });

  it('goes to exactly one of several that start at once after a sudden death', async () => {
    const program = join(data, 'taker.mjs');
    const source = resolve(__dirname, 'store-lock.ts');
    buildSync({
      stdin: {
        contents: `import { StoreLock } from ${JSON.stringify(source)};
          try { await StoreLock.take(process.argv[2], 'here'); console.log('won'); setInterval(() => 0, 1000); process.stdin.on('end', () => process.exit()).resume(); }
          catch (error) { console.log('lost ' + error.message); }`,
        resolveDir: __dirname,
        loader: 'ts',
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['ollie-source'],
      outfile: program,
    });
    for (let round = 0; round < 4; round += 1) {
      const takers = Array.from({ length: 6 }, () => taker(program, data));
      const said = await Promise.all(takers.map(({ said: words }) => words));
      expect(said.filter((words) => words.startsWith('won'))).toHaveLength(1);
      expect(said.filter((words) => words.startsWith('lost'))).toHaveLength(5);
      for (const { child } of takers) child.kill('SIGKILL');
    }
  });
});

function taker(program: string, data: string) {
  const child = execFile(process.execPath, [program, data]);
  const said = new Promise<string>((resolve) => child.stdout?.once('data', resolve));
  return { child, said };
}
