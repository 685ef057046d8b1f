import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StandardErrorPipe } from './standard-error-pipe.js';

const SIZE = 60_000;

describe('the pipe for standard error', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'ollie-pipe-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('hands on all that was written before its end, however slowly it is taken, and leaves no file', async () => {
    let taken = 0;
    const slow = new Writable({
      highWaterMark: 1024,
      write: (chunk: Buffer, _encoding, done) => {
        taken += chunk.length;
        setTimeout(done, 20);
      },
    });
    const pipe = new StandardErrorPipe(directory, slow);
    writeFileSync(pipe.path, 'x'.repeat(SIZE), { flag: 'r+' });
    await pipe.close();
    expect(taken).toBe(SIZE);
    expect(existsSync(pipe.path)).toBe(false);
  });

  it('ends when nobody has written', async () => {
    await new StandardErrorPipe(directory, new Writable()).close();
    expect(existsSync(join(directory, '.standard-error'))).toBe(false);
  });

  it('is closed to writers when its output fails', async () => {
    const failing = new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) });
    const pipe = new StandardErrorPipe(directory, failing);
    writeFileSync(pipe.path, 'x', { flag: 'r+' });
    await sleep(100);
    await pipe.close();
    expect(existsSync(pipe.path)).toBe(false);
  });

  it('cannot be made twice in one place', () => {
    const pipe = new StandardErrorPipe(directory, new Writable());
    expect(() => new StandardErrorPipe(directory, new Writable())).toThrow('sandbox helper: mkfifo');
    return pipe.close();
  });
});
