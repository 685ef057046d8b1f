import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, type ToolRun } from './run-packaged-tool.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'files-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function read(content: string | Buffer, more: { readonly offset?: number; readonly limit?: number } = {}): ToolRun {
  writeFileSync(join(folder, 'file'), content);
  return runTool('file_read', { file_path: 'file', ...more }, folder);
}

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

describe('reading a file', () => {
  test('each line has its number', () => {
    expect(read('package main\n')).toEqual({ code: 0, text: '1  package main\n' });
    expect(read(lines(11)).text).toMatch(/^ 1 {2}line 1\n[^]*\n11 {2}line 11\n$/);
  });

  test('a last line without a line end counts, an empty file is no error', () => {
    expect(read('a\nb').text).toBe('1  a\n2  b\n');
    expect(read('')).toEqual({ code: 0, text: `[${folder}/file is empty]\n` });
    expect(read('\n\n').text).toBe('1  \n2  \n');
  });

  test('a window says where to go on; one past the end says how long the file is', () => {
    expect(read(lines(20), { offset: 3, limit: 2 }).text).toBe('3  line 3\n4  line 4\n[more lines follow; go on with offset=5]\n');
    expect(read(lines(20), { offset: 19, limit: 2 }).text).toBe('19  line 19\n20  line 20\n');
    expect(read(lines(20), { offset: 21 })).toEqual({ code: 1, text: `${folder}/file: has only 20 lines; offset 21 is past its end\n` });
  });

  test('a long file comes in pieces that a model can take in', () => {
    const first = read(lines(100_000)).text;
    expect(Buffer.byteLength(first)).toBeLessThanOrEqual(32 * 1024);
    const [, next] = /go on with offset=(\d+)\]\n$/.exec(first) ?? [];
    const second = runTool('file_read', { file_path: 'file', offset: Number(next) }, folder).text;
    expect(second.trimStart()).toMatch(new RegExp(`^${next}  line ${next}\n`));
  });

  test('at most 2000 lines at a time', () => {
    expect(read('\n'.repeat(5000)).text).toContain('[more lines follow; go on with offset=2001]');
  });

  test('a line of 6 MB is cut, and the way to the rest is told', () => {
    const { text } = read(`${'é'.repeat(3_000_000)}\nnext\n`);
    expect(text).toMatch(
      /^1 {2}é{2000} \[\.\.\. 5996000 more bytes; shell: sed -n 1p '.*' \| tail -c 5996000 \| head -c 20000\]\n2 {2}next\n$/,
    );
  });

  test('lines across the pieces that are read at a time stay whole', () => {
    const content = Array.from({ length: 90 }, (_, i) => `${i}:${'x'.repeat(1499)}\n`).join('');
    writeFileSync(join(folder, 'file'), content);
    const shown = [1, 20, 39, 58, 77].map((offset) => runTool('file_read', { file_path: 'file', offset, limit: 19 }, folder).text).join('');
    const texts = shown.split('\n').flatMap((line) => /^ *\d+ {2}(\d+:x+)$/.exec(line)?.[1] ?? []);
    expect(texts.slice(0, 90).join('\n')).toBe(content.trimEnd());
  });

  test('CRLF and bytes that are not UTF-8 are told once', () => {
    expect(read('a\r\nb\r\n').text).toBe('1  a\n2  b\n[lines end with CRLF]\n');
    expect(read(Buffer.from([0x63, 0xe9, 0x0a])).text).toBe('1  c\ufffd\n[bytes that are not UTF-8 are shown as \ufffd]\n');
  });

  test('U+2028 and a lone carriage return end no line', () => {
    expect(read('a\u2028b\rc\n').text).toBe('1  a\u2028b\rc\n');
  });

  test('an image is one by its content, not by its name', () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
    const [mark, json] = read(png).text.split('\n');
    expect(mark).toBe('#!ollie-result');
    expect(JSON.parse(json ?? '')).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png', data: png.toString('base64') }],
    });
    writeFileSync(join(folder, 'text.png'), 'just text\n');
    expect(runTool('file_read', { file_path: 'text.png' }, folder).text).toBe('1  just text\n');
  });

  test('binary files, directories, FIFOs and missing files: one sentence each, at once', () => {
    expect(read('a\0b').text).toContain('a binary file of 3 bytes');
    expect(read(Buffer.from('\ufeffabc', 'utf16le')).text).toContain('UTF-16 text of 8 bytes');
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const says = (file_path: string): string => runTool('file_read', { file_path }, folder).text;
    expect(says('fifo')).toBe(`${folder}/fifo: is not a regular file\n`);
    expect(says('/dev/zero')).toBe('/dev/zero: is not a regular file\n');
    expect(says('.')).toBe(`${folder}: is a directory; list it with the shell tool: ls\n`);
    expect(says('absent')).toBe(`${folder}/absent: no such file or directory\n`);
  });
});

describe('writing a file', () => {
  const write = (file_path: string, content: string): ToolRun => runTool('file_write', { file_path, content }, folder);

  test('creates it with its directories, exactly as given', () => {
    expect(write('a/b/c', 'x\ny')).toEqual({ code: 0, text: `created ${folder}/a/b/c: 2 lines, 3 bytes\n` });
    expect(readFileSync(join(folder, 'a/b/c'), 'utf8')).toBe('x\ny');
    expect(write('empty', '').text).toBe(`created ${folder}/empty: 0 lines, 0 bytes\n`);
    expect(write('crlf', 'a\r\n').text).toContain('1 lines, 3 bytes');
  });

  test('replaces it in one step and keeps its mode', () => {
    const file = join(folder, 'script');
    writeFileSync(file, 'old');
    chmodSync(file, 0o4755);
    const before = statSync(file).ino;
    expect(write('script', 'new').text).toBe(`replaced ${file}: 1 lines, 3 bytes\n`);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o7777]).toEqual(['new', 0o4755]);
    expect(statSync(file).ino).not.toBe(before);
    expect(readdirSync(folder)).toEqual(['script']);
  });

  test('goes through links, also to a file that does not exist yet', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real/target', join(folder, 'link'));
    expect(write('link', 'x').text).toContain('created');
    expect(readFileSync(join(folder, 'real/target'), 'utf8')).toBe('x');
  });

  test('refuses directories and devices, and leaves what is there', () => {
    expect(write('.', 'x')).toEqual({ code: 1, text: `${folder}: is a directory\n` });
    expect(write('/dev/null', 'x')).toEqual({ code: 1, text: '/dev/null: is not a regular file\n' });
    writeFileSync(join(folder, 'file'), 'x');
    expect(write('file/below', 'x').code).toBe(1);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('x');
  });
});
