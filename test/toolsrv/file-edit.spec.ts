import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, type ToolRun } from './run-packaged-tool.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'edit-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function edit(
  content: string | Buffer,
  old: string,
  replacement: string,
  more: { readonly replace_all?: boolean } = {},
): ToolRun & { readonly after: Buffer } {
  const file = join(folder, 'file');
  writeFileSync(file, content);
  const run = runTool('file_edit', { file_path: 'file', old_string: old, new_string: replacement, ...more }, folder);
  return { ...run, after: readFileSync(file) };
}

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));

describe('editing changes only what matched', () => {
  test.each<[string, Buffer | string, string, string, Buffer | string]>([
    ['a byte that is no UTF-8 stays', bytes('caf', 0xe9, '\nname=x\n'), 'name=x', 'name=y', bytes('caf', 0xe9, '\nname=y\n')],
    ['mixed line ends stay', 'a\nb\r\nc\r\n', 'a\n', 'A\n', 'A\nb\r\nc\r\n'],
    ['a byte order mark stays', '\ufeffone\ntwo\n', 'one', '1', '\ufeff1\ntwo\n'],
    ['typographic quotes elsewhere stay', '“x”\u00a0 \n"y" \n', '"y"', '"z"', '“x”\u00a0 \n"z" \n'],
    ['dollar signs are no patterns', 'a b c\n', 'b', '$& $1 $$ $`', 'a $& $1 $$ $` c\n'],
    ['no final newline is added', 'a\nb', 'b', 'c', 'a\nc'],
    ['a lone carriage return stays', 'a\rb\nc\n', 'c', 'd', 'a\rb\nd\n'],
    ['U+2028 is no line end', 'a\u2028b\nc\n', 'c', 'd', 'a\u2028b\nd\n'],
    ['a NUL stays', 'a\0b\nc\n', 'c', 'd', 'a\0b\nd\n'],
    ['trailing blanks of the new text stay', 'a\nb\n', 'b', 'b  ', 'a\nb  \n'],
    ['blanks around the match stay', '\tif (x)  \n', 'if (x)', 'if (y)', '\tif (y)  \n'],
    ['deleting is replacing by nothing', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ])('%s', (_what, content, old, replacement, after) => {
    const run = edit(content, old, replacement);
    expect([run.code, run.after.toString('latin1')]).toEqual([0, Buffer.from(after).toString('latin1')]);
  });

  test.each<[string, string, string, string, string]>([
    ['LF text matches in a CRLF file, and new lines are CRLF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\nz\n', 'x\r\ny\r\nz\r\nc\r\n'],
    ['one line becomes two with the line end of its place', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['CRLF text matches in an LF file, and new lines are LF as sent', 'a\nb\nc\n', 'a\r\nb\r\n', 'x\n', 'x\nc\n'],
    ['CRLF is not doubled', 'a\r\nb\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\n'],
    ['an LF line in a CRLF file stays LF', 'a\nb\r\nc\r\n', 'a', 'a\nA', 'a\nA\nb\r\nc\r\n'],
    ['a match that starts with a line end takes all of it', 'a\r\nb\r\nc', '\nb\n', '\nx\n', 'a\r\nx\r\nc'],
  ])('line ends: %s', (_what, content, old, replacement, after) => {
    const run = edit(content, old, replacement);
    expect([run.text.includes('not found'), run.after.toString()]).toEqual([false, after]);
  });

  test('mode, links and hard links stay, and nothing is left beside the file', () => {
    const [file, link, hard] = [join(folder, 'real/file'), join(folder, 'link'), join(folder, 'hard')];
    mkdirSync(join(folder, 'real'));
    writeFileSync(file, 'one\n');
    chmodSync(file, 0o751);
    symlinkSync('real/file', link);
    expect(runTool('file_edit', { file_path: link, old_string: 'one', new_string: 'two' }, '/').code).toBe(0);
    expect([readFileSync(file, 'utf8'), lstatSync(link).isSymbolicLink(), statSync(file).mode & 0o7777]).toEqual(['two\n', true, 0o751]);
    linkSync(file, hard);
    expect(runTool('file_edit', { file_path: hard, old_string: 'two', new_string: 'longer' }, '/').code).toBe(0);
    expect(runTool('file_edit', { file_path: hard, old_string: 'longer', new_string: '3' }, '/').code).toBe(0);
    expect([readFileSync(file, 'utf8'), statSync(file).nlink]).toEqual(['3\n', 2]);
    expect([readdirSync(folder).sort(), readdirSync(join(folder, 'real'))]).toEqual([['hard', 'link', 'real'], ['file']]);
  });

  test('a reader sees the old file or the new one, never a part', () => {
    const file = join(folder, 'file');
    writeFileSync(file, `one${'x'.repeat(100_000)}`);
    const before = statSync(file).ino;
    expect(runTool('file_edit', { file_path: file, old_string: 'one', new_string: 'two' }, '/').code).toBe(0);
    expect(statSync(file).ino).not.toBe(before);
  });
});

describe('editing refuses what is not certain', () => {
  test('two places, with the lines of both', () => {
    const run = edit('x = 1\ny\nx = 1\n', 'x = 1', 'x = 2');
    expect([run.code, run.after.toString()]).toEqual([1, 'x = 1\ny\nx = 1\n']);
    expect(run.text).toContain('stands there 2 times, at lines 1, 3');
  });

  test('replace_all changes each place', () => {
    const run = edit('x\ny\nx\nx', 'x', 'long', { replace_all: true });
    expect([run.code, run.after.toString()]).toEqual([0, 'long\ny\nlong\nlong']);
  });

  test.each([false, true])('places that overlap (replace_all %s)', (replace_all) => {
    const run = edit('aaa\n', 'aa', 'b', { replace_all });
    expect([run.code, run.after.toString()]).toEqual([1, 'aaa\n']);
  });

  test('tabs where the text has spaces, and shows both', () => {
    const run = edit('\tif x:\n\t\ty\n', '    if x:\n', '    if z:\n');
    expect([run.code, run.after.toString()]).toEqual([1, '\tif x:\n\t\ty\n']);
    expect(run.text).toContain('1: →if·x:');
    expect(run.text).toContain('····if·x:');
  });

  test('typographic quotes where the text has straight ones, and shows the line', () => {
    expect(edit('say “hi”\n', 'say "hi"', 'x').text).toContain('1: say·“hi”');
  });

  test('text that still has line numbers, and says so', () => {
    expect(edit('one\ntwo\n', '1  one\n2  two', 'x').text).toContain('leave out what file_read puts before each line');
  });

  test('line ends that were written as two characters, and says so', () => {
    expect(edit('one\ntwo\n', 'one\\ntwo', 'x').text).toContain('\\n or \\t as two characters');
  });

  test('text that is nowhere', () => {
    expect(edit('one\n', 'nothing like it', 'x').text).toContain('No line of the file looks like its first line');
  });

  test('a change that is none: the file is not touched', () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    utimesSync(file, 1000, 1000);
    expect(runTool('file_edit', { file_path: file, old_string: 'x', new_string: 'x' }, '/').code).toBe(1);
    expect(statSync(file).mtimeMs).toBe(1_000_000);
  });

  test('a file that is too large, at once', () => {
    const file = join(folder, 'large');
    writeFileSync(file, 'x');
    truncateSync(file, 2 ** 31);
    const run = runTool('file_edit', { file_path: file, old_string: 'x', new_string: 'y' }, '/');
    expect([run.code, run.text]).toEqual([1, expect.stringContaining('2147483648 bytes are too many to edit')]);
  });

  test('UTF-16, a directory, a FIFO, a loop of links, a missing file: one sentence each', () => {
    writeFileSync(join(folder, 'wide'), Buffer.from('\ufeffabc', 'utf16le'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    symlinkSync('loop', join(folder, 'loop'));
    const says = (file_path: string): string => runTool('file_edit', { file_path, old_string: 'x', new_string: 'y' }, folder).text;
    expect(says('wide')).toContain('UTF-16 text cannot be edited');
    expect(says('.')).toContain('is a directory');
    expect(says('fifo')).toContain('is not a regular file');
    expect(says('loop')).toContain('too many symbolic links');
    expect(says('absent')).toBe(`${join(folder, 'absent')}: no such file or directory\n`);
  });
});

describe('what editing answers', () => {
  test('a diff with three lines around the change', () => {
    const content = Array.from({ length: 9 }, (_, i) => `line ${i + 1}\n`).join('');
    expect(edit(content, 'line 5', 'LINE\n5½').text).toBe(
      [
        `--- ${folder}/file`, `+++ ${folder}/file`, '@@ -2,7 +2,8 @@', ' line 2', ' line 3', ' line 4', '-line 5', '+LINE', '+5½', ' line 6', ' line 7', ' line 8', '',
      ].join('\n'),
    ); // prettier-ignore
  });

  test('an empty old_string creates a missing file with its directories, and nothing else', () => {
    const make = (): ToolRun => runTool('file_edit', { file_path: 'a/b/new', old_string: '', new_string: 'x\n' }, folder);
    expect(make()).toEqual({ code: 0, text: `created ${join(folder, 'a/b/new')}\n` });
    expect(readFileSync(join(folder, 'a/b/new'), 'utf8')).toBe('x\n');
    expect(make().text).toContain('exists; old_string must say what to replace');
  });
});
