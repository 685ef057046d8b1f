import { readFileSync } from 'node:fs';
import { errnoOf, messageOf } from './errno.js';
import { ConfigError } from './errors.js';

/**
 * Reads lines of `NAME=value`: blank lines and lines that start with # are skipped, ` #` begins a comment,
 * one pair of surrounding quotes is taken off (and keeps a # inside). A missing file gives nothing.
 */
export function loadEnvFile(file: string): Readonly<Record<string, string>> {
  const text = readIfPresent(file);
  return text === undefined ? {} : parseEnvFile(text, file);
}

export function parseEnvFile(text: string, origin: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').map((line, index) => [line.trim(), index + 1] as const);
  const entries = lines
    .filter(([line]) => line !== '' && !line.startsWith('#'))
    .map(([line, number]) => entryOf(line, `${origin}:${number}`));
  return Object.fromEntries(entries);
}

function entryOf(line: string, place: string): readonly [string, string] {
  const [, name, rest] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || rest === undefined) throw new ConfigError(`${place}: expected NAME=value`);
  const [, , quoted] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(rest) ?? [];
  return [name, quoted ?? rest.replace(/(?:^|\s+)#.*$/, '')];
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw new ConfigError(`${file}: cannot be read: ${messageOf(error)}`);
  }
}
