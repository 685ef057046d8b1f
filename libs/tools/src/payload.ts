import { isJsonObject, MessageTooLongError, jsonIn, unescapeValue, type JsonObject, type JsonValue } from '#model';
import { PayloadError } from './errors.js';

const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
const RESERVED = ['token', 'tool', 'agent', 'session', 'cwd', 'label', 'call'] as const;

type Reserved = Record<(typeof RESERVED)[number], string>;

/**
 * A parsed `proc/new` payload. Reserved fields that were not sent are empty. `fields` are the arguments that
 * came one a line, still as text; `args` those that came as one JSON object.
 */
export interface Payload extends Readonly<Reserved> {
  readonly env: Readonly<Record<string, string>>;
  readonly args: JsonObject;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Parses `key=value` lines (contract 3.1). Throws PayloadError naming the first bad line: no `=`, no key, a key
 * seen before, a NUL, `args` that is no JSON object. Throws MessageTooLongError above 16 MiB.
 */
export function parsePayload(text: string): Payload {
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) throw new MessageTooLongError();
  const lines = new Map<string, { readonly value: string; readonly line: number }>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const split = line.indexOf('=');
    const key = line.slice(0, split);
    if (split < 1 || lines.has(key) || line.includes('\0')) throw new PayloadError(index + 1);
    lines.set(key, { value: unescapeValue(line.slice(split + 1)), line: index + 1 });
  }
  const args = lines.get('args');
  return { ...reservedOf(lines), env: environmentOf(lines), args: args ? argumentObject(args) : {}, fields: argumentsOf(lines) };
}

type Lines = ReadonlyMap<string, { readonly value: string; readonly line: number }>;

function reservedOf(lines: Lines): Reserved {
  const of = (key: keyof Reserved): string => lines.get(key)?.value ?? '';
  return {
    token: of('token'),
    tool: of('tool'),
    agent: of('agent'),
    session: of('session'),
    cwd: of('cwd'),
    label: of('label'),
    call: of('call'),
  };
}

function environmentOf(lines: Lines): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, { value }] of lines) if (key.startsWith('env.')) env[key.slice('env.'.length)] = value;
  return env;
}

function argumentsOf(lines: Lines): Map<string, string> {
  const taken: readonly string[] = [...RESERVED, 'args'];
  return new Map([...lines].filter(([key]) => !taken.includes(key) && !key.startsWith('env.')).map(([key, { value }]) => [key, value]));
}

function argumentObject({ value, line }: { readonly value: string; readonly line: number }): JsonObject {
  const parsed = jsonIn(value);
  if (!isJsonObject(parsed) || holdsNul(parsed)) throw new PayloadError(line);
  return parsed;
}

/** No argument list, environment or path can carry a NUL: it is refused before anything is started. */
function holdsNul(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]: [string, JsonValue]) => key.includes('\0') || holdsNul(inner));
}
