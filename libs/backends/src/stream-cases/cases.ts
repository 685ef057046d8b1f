import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue, type ModelRequest } from '#model';
import { textField } from '../wire/json-fields.js';

export interface Case {
  readonly id: string;
  readonly provider: string;
  readonly spec: JsonObject;
  readonly body: Buffer;
}

/** Where the shared cases lie; undefined where there are none. `given` is OLLIE_CASES. */
export function directoryOfCases(given: string | undefined): string | undefined {
  const named = join(resolve(given ?? join(process.cwd(), '../shared/cases')), 'streams');
  // Without links, or the server would not take itself for the program that was started.
  return existsSync(join(named, 'serve.mjs')) ? realpathSync(named) : undefined;
}

/** All of them, of whatever provider. */
export function casesIn(directory: string): readonly Case[] {
  const ids = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'case.json')));
  return ids.map((id) => {
    const spec = object(parseJson(readFileSync(join(directory, id, 'case.json'), 'utf8')));
    const body = readFileSync(join(directory, id, textField(spec, 'body') ?? ''));
    return { id, provider: textField(spec, 'provider') ?? '', spec, body };
  });
}

/** What every case is asked. */
export const request: ModelRequest = {
  model: 'fx-model',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
  tools: [{ name: 'ls', description: 'list', parameters: { type: 'object', properties: {} } }],
  params: {},
};

/** True when models are asked for, not an answer. */
export function isListing(spec: JsonObject): boolean {
  return /\/(?:models|show)$/.test(textField(spec, 'path') ?? '');
}

export function object(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
