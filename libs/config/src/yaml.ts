import { readFileSync } from 'node:fs';
import { loadAll, YAMLException } from 'js-yaml';
import { messageOf } from './errno.js';
import { ConfigError } from './errors.js';

/** Reads one YAML document to plain values; null for an empty file. Throws ConfigError naming file, line and reason. */
export function loadYaml(file: string): unknown {
  return parseYaml(contentOf(file), file);
}

/** The same from text; `origin` is what errors call it. */
export function parseYaml(text: string, origin: string): unknown {
  const documents = parsed(text, origin);
  if (documents.length > 1) throw new ConfigError(`${origin}: expected one document, found ${documents.length}`);
  return documents[0] ?? null;
}

function parsed(text: string, origin: string): readonly unknown[] {
  try {
    return loadAll(text);
  } catch (error) {
    if (error instanceof YAMLException) throw new ConfigError(`${origin}${error.mark ? `:${error.mark.line + 1}` : ''}: ${error.reason}`);
    throw error;
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file}: cannot be read: ${messageOf(error)}`);
  }
}
