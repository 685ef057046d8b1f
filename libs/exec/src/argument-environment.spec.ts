import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentEnvironment } from './argument-environment.js';

describe('arguments as variables', () => {
  test('texts are themselves, the rest is JSON, names are upper case', () => {
    expect(argumentEnvironment({ cmd: 'ls "x"', n: 5, 'file-name': ['a'] }, undefined).env).toEqual({
      OLLIE_ARG_CMD: 'ls "x"',
      OLLIE_ARG_N: '5',
      OLLIE_ARG_FILE_NAME: '["a"]',
      OLLIE_ARGS: '{"cmd":"ls \\"x\\"","n":5,"file-name":["a"]}',
    });
  });

  test('a variable is at most what the kernel takes: 131071 bytes with its name', () => {
    const fits = 'x'.repeat(131_071 - 'OLLIE_ARG_A='.length);
    expect(argumentEnvironment({ a: fits }, undefined).env).toEqual({ OLLIE_ARG_A: fits });
    expect(argumentEnvironment({ a: `${fits}x` }, undefined).env).toEqual({});
  });

  test('all of them together stay well below what the kernel takes', () => {
    const args = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a${i}`, 'x'.repeat(100_000)]));
    const size = Object.entries(argumentEnvironment(args, undefined).env).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 2,
      0,
    );
    expect(size).toBeLessThan(1_100_000);
  });

  test('with a directory what does not fit is a private file, until it is removed', () => {
    const directory = mkdtempSync(join(tmpdir(), 'arguments-'));
    const long = 'y'.repeat(200_000);
    const { env, remove } = argumentEnvironment({ cmd: long, n: 1 }, directory);
    const file = env['OLLIE_ARG_CMD_FILE'] ?? '';
    expect(Object.keys(env).sort()).toEqual(['OLLIE_ARG_CMD_FILE', 'OLLIE_ARG_N']);
    expect(readFileSync(file, 'utf8')).toBe(long);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    remove();
    remove();
    expect(readdirSync(directory)).toEqual([]);
    rmSync(directory, { recursive: true });
  });
});
