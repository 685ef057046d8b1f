import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseJson, type JsonObject, type JsonValue } from '#model';
import { objectField } from '../wire/json-fields.js';
import { object, type Case } from './cases.js';

/** What the cases' own comparison finds wrong with what came of each, by id. */
export function differencesOf(directory: string, cases: readonly Case[], results: ReadonlyMap<string, JsonValue>): JsonObject {
  const pairs = cases.map(({ id, spec }) => ({
    id,
    expect: objectField(spec, 'expect') ?? {},
    got: results.get(id) ?? null,
  }));
  const code = `import { compare } from ${JSON.stringify(pathToFileURL(join(directory, 'compare.mjs')).href)};
    import { readFileSync } from 'node:fs';
    const pairs = JSON.parse(readFileSync(0, 'utf8'));
    process.stdout.write(JSON.stringify(Object.fromEntries(pairs.map(({ id, expect, got }) => [id, compare(expect, got)]))));`;
  return object(
    parseJson(execFileSync(process.execPath, ['--input-type=module', '-e', code], { input: JSON.stringify(pairs), encoding: 'utf8' })),
  );
}
