import { readFileSync } from 'node:fs';
import { errnoOf, messageOf } from './errno.js';
import { ConfigError } from './errors.js';
import { jsonFaultLine } from './json-fault.js';

/**
 * Reads a JSON file to plain values; undefined when there is none. Throws ConfigError naming file, line and reason, but
 * nothing of what stands in it: that may be a key.
 */
export function loadJson(file: string): unknown {
  const text = textIfPresent(file)?.replace(/^\uFEFF/, '');
  return text === undefined ? undefined : parsed(text, file);
}

function parsed(text: string, file: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // What the engine says of it quotes the text.
    throw new ConfigError(`${file}:${jsonFaultLine(text) ?? 1}: not JSON`);
  }
}

function textIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw new ConfigError(`${file}: cannot be read: ${messageOf(error)}`);
  }
}
