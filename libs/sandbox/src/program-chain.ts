import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';
import { errnoOf } from '#config';

const HEAD_BYTES = 4096;
/** The kernel follows no more than five interpreters. */
const MAX_FILES = 8;

/** A file that must be executable for a command to run. `path` is as it was found, `real` without links. */
export interface ProgramFile {
  readonly path: string;
  readonly real: string;
  readonly kind: 'elf' | 'script';
}

export interface Program {
  /** The program and, behind each script, its interpreter. Empty when the program is not found. */
  readonly files: readonly ProgramFile[];
  /** What is named and not there. */
  readonly missing: string | undefined;
}

export interface Surroundings {
  readonly cwd: string;
  /** PATH of the command: absolute entries count. */
  readonly path: string;
}

/** What the kernel runs for a command: `#!` lines followed, those through `env NAME` as well. */
export function programOf(name: string, surroundings: Surroundings): Program {
  const files: ProgramFile[] = [];
  const wanted = [name];
  for (let next = wanted.shift(); next !== undefined && files.length <= MAX_FILES; next = wanted.shift()) {
    const path = findExecutable(next, surroundings);
    if (path === undefined) return { files, missing: next };
    const head = headOf(path);
    files.push({ path, real: realpathSync(path), kind: isElf(head) ? 'elf' : 'script' });
    if (!isElf(head)) wanted.unshift(...interpretersIn(head));
  }
  return { files, missing: undefined };
}

function isElf(head: Buffer): boolean {
  return head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'));
}

function findExecutable(name: string, { cwd, path }: Surroundings): string | undefined {
  if (name.includes('/')) return [resolve(cwd, name)].find(isExecutableFile);
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .map((entry) => join(entry, name))
    .find(isExecutableFile);
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function headOf(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return head.subarray(0, 0);
  }
}

/** A text without a `#!` line is a script of the shell. */
function interpretersIn(head: Buffer): readonly string[] {
  const line = head.toString('latin1').split('\n')[0] ?? '';
  if (!line.startsWith('#!')) return ['/bin/sh'];
  const [interpreter = '/bin/sh', ...words] = line
    .slice(2)
    .trim()
    .split(/[ \t]+/);
  if (basename(interpreter) !== 'env') return [interpreter];
  return [interpreter, ...words.filter((word) => !word.startsWith('-') && !word.includes('=')).slice(0, 1)];
}
