import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOwnerPipe } from './owner-pipe.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'owner-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Both ends of a named pipe. */
function pipe(): { readonly reader: number; readonly writer: number } {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY) };
}

describe('the secret from an inherited descriptor', () => {
  test('is the first line of a pipe, whose end is the owner’s end', async () => {
    const { reader, writer } = pipe();
    writeSync(writer, 'the se');
    const reading = readOwnerPipe(reader);
    writeSync(writer, 'cret\nmore');
    const owner = await reading;
    expect(owner.secret).toBe('the secret');
    const ended = new Promise<void>((resolve) => owner.whenEnded(resolve));
    closeSync(writer);
    await ended;
  });

  test('an owner who is gone before anybody asks is told of at once', async () => {
    const { reader, writer } = pipe();
    writeSync(writer, 's\n');
    const owner = await readOwnerPipe(reader);
    closeSync(writer);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const ended = jest.fn();
    owner.whenEnded(ended);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test('a close of our own is not the owner’s end', async () => {
    const { reader, writer } = pipe();
    writeSync(writer, 's\n');
    const owner = await readOwnerPipe(reader);
    const ended = jest.fn();
    owner.whenEnded(ended);
    owner.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ended).not.toHaveBeenCalled();
    closeSync(writer);
  });

  test('is the first line of a file, which has no end', async () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'from a file\n');
    const descriptor = openSync(file, 'r');
    expect((await readOwnerPipe(descriptor)).secret).toBe('from a file');
    closeSync(descriptor);
  });

  test('the second line comes with the first', async () => {
    const { reader, writer } = pipe();
    writeSync(writer, 'one\ntwo\nthree\n');
    const owner = await readOwnerPipe(reader);
    const lines: string[] = [];
    owner.whenSecondLine((line) => lines.push(line));
    expect([owner.secret, lines]).toEqual(['one', ['two']]);
    owner.close();
    closeSync(writer);
  });

  test('or later, in pieces, and only once', async () => {
    const { reader, writer } = pipe();
    writeSync(writer, 'one\n');
    const owner = await readOwnerPipe(reader);
    const lines: string[] = [];
    const ended = new Promise<void>((resolve) => owner.whenEnded(resolve));
    owner.whenSecondLine((line) => lines.push(line));
    for (const piece of ['t', 'wo\nth', 'ree\n']) {
      writeSync(writer, piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    closeSync(writer);
    await ended;
    expect(lines).toEqual(['two']);
  });

  test.each([
    ['one\ntwo\n', ['two']],
    ['one\n', []],
    ['one', []],
  ])('of the file %j the second line is %j', async (content, expected) => {
    const file = join(folder, 'secrets');
    writeFileSync(file, content);
    const descriptor = openSync(file, 'r');
    const lines: string[] = [];
    (await readOwnerPipe(descriptor)).whenSecondLine((line) => lines.push(line));
    expect(lines).toEqual(expected);
    closeSync(descriptor);
  });

  test('nothing is no secret', async () => {
    const { reader, writer } = pipe();
    closeSync(writer);
    await expect(readOwnerPipe(reader)).rejects.toThrow(`descriptor ${reader} gave no secret`);
  });
});
