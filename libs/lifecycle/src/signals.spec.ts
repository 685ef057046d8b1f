import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildSync } from 'esbuild';

const body = `
  import { runUntilSignal } from ${JSON.stringify(resolve(__dirname, 'signals.ts'))};
  const alive = setInterval(() => {}, 1000);
  const closing = { good: async () => clearInterval(alive), bad: async () => { clearInterval(alive); throw new Error('no'); }, never: () => new Promise(() => {}) };
  runUntilSignal({ close: () => { process.stdout.write('closing\\n'); return closing[process.argv[2]](); } });
  process.stdout.write('ready\\n');
`;

describe('a process that runs until a signal', () => {
  let folder: string;
  let program: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-signals-'));
    program = join(folder, 'program.mjs');
    const { outputFiles } = buildSync({
      stdin: { contents: body, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
    });
    writeFileSync(program, outputFiles[0]?.contents ?? '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function end(manner: string, ...signals: readonly (NodeJS.Signals | number)[]) {
    const child = spawn(process.execPath, [program, manner]);
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    await once(child.stdout, 'data');
    for (const signal of signals) await (typeof signal === 'number' ? wait(signal) : child.kill(signal));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    return { code, signal, said };
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('closes on %s and ends by itself with 0', async (signal) => {
    expect(await end('good', signal)).toEqual({ code: 0, signal: null, said: '' });
  });

  it('ends with 1 and says why when closing fails', async () => {
    expect(await end('bad', 'SIGTERM')).toEqual({ code: 1, signal: null, said: 'shutdown: no\n' });
  });

  it('takes a repeat at once for the same request, and a later one for impatience', async () => {
    const started = performance.now();
    expect(await end('never', 'SIGINT', 'SIGINT', 1_300, 'SIGINT')).toMatchObject({ code: 130 });
    expect(performance.now() - started).toBeGreaterThan(1_300);
  });
});
