import { isJsonObject, parseJson } from '#model';
import type {
  BypassRule,
  CatalogEntry,
  JsonObject,
  JsonValue,
  ParallelClass,
  ResultTier,
  SandboxReach,
  ToolContent,
  ToolInfo,
  ToolResult,
} from '#model';
import { MalformedAnswerError } from './errors.js';

const TIERS: readonly ResultTier[] = ['hot', 'warm', 'cold'];
const PARALLEL: readonly ParallelClass[] = ['read', 'write', 'none'];
const BYPASS: readonly BypassRule[] = ['never', 'ask', 'always'];
const REACH: readonly SandboxReach[] = ['full', 'partial', 'none'];

/** A JSON object with checked access to its fields; `where` names it in errors. */
class Fields {
  constructor(
    private readonly object: JsonObject,
    private readonly where: string,
  ) {}

  string(key: string): string {
    const value = this.object[key];
    return typeof value === 'string' ? value : this.refuse(key);
  }

  number(key: string): number {
    const value = this.object[key];
    return typeof value === 'number' ? value : this.refuse(key);
  }

  boolean(key: string): boolean {
    const value = this.object[key];
    return typeof value === 'boolean' ? value : this.refuse(key);
  }

  nested(key: string): JsonObject {
    const value = this.object[key];
    return isJsonObject(value) ? value : this.refuse(key);
  }

  list(key: string): readonly JsonValue[] {
    const value = this.object[key];
    return isList(value) ? value : this.refuse(key);
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T {
    return allowed.find((word) => word === this.object[key]) ?? this.refuse(key);
  }

  has(key: string): boolean {
    return this.object[key] !== undefined;
  }

  private refuse(key: string): never {
    throw new MalformedAnswerError(`${this.where}: ${key}`);
  }
}

/** The loaded tools, as `tools` answers them. Throws MalformedAnswerError. */
export function parseToolInfos(text: string): readonly ToolInfo[] {
  return parseList(text, 'tools').map((fields) => ({
    name: fields.string('name'),
    description: fields.string('description'),
    inputSchema: fields.nested('inputSchema'),
    tier: fields.oneOf('tier', TIERS),
    parallel: fields.oneOf('parallel', PARALLEL),
    bypass: fields.oneOf('bypass', BYPASS),
    timeout: fields.number('timeout'),
    background: fields.boolean('background'),
  }));
}

/** The tools of the host, as `all` answers them. Throws MalformedAnswerError. */
export function parseCatalog(text: string): readonly CatalogEntry[] {
  return parseList(text, 'all').map((fields) => ({
    name: fields.string('name'),
    description: fields.string('description'),
    source: fields.string('source'),
    available: fields.boolean('available'),
    ...(fields.has('reason') ? { reason: fields.string('reason') } : {}),
  }));
}

/** The outcome of a call, as `proc/new` answers it (contract 3.2). Throws MalformedAnswerError. */
export function parseToolResult(text: string): ToolResult {
  const fields = asFields(parseText(text, 'proc/new'), 'proc/new');
  return {
    content: fields.list('content').map((part) => parseContent(asFields(part, 'proc/new content'))),
    isError: fields.boolean('isError'),
    ...(fields.has('exitCode') ? { exitCode: fields.number('exitCode') } : {}),
    ...(fields.has('sandbox') ? { sandbox: fields.oneOf('sandbox', REACH) } : {}),
  };
}

/** The revision, as `tools_rev` answers it. Throws MalformedAnswerError. */
export function parseRevision(text: string): number {
  if (!/^[0-9]{1,15}\n?$/.test(text)) throw new MalformedAnswerError(`tools_rev: ${text.slice(0, 40)}`);
  return Number(text);
}

function parseContent(fields: Fields): ToolContent {
  return fields.oneOf('type', ['text', 'image']) === 'text'
    ? { type: 'text', text: fields.string('text') }
    : { type: 'image', mimeType: fields.string('mimeType'), data: fields.string('data') };
}

function parseList(text: string, where: string): readonly Fields[] {
  const value = parseText(text, where);
  if (!isList(value)) throw new MalformedAnswerError(`${where}: no list`);
  return value.map((item) => asFields(item, where));
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function asFields(value: JsonValue, where: string): Fields {
  if (!isJsonObject(value)) throw new MalformedAnswerError(`${where}: no object`);
  return new Fields(value, where);
}

function parseText(text: string, where: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new MalformedAnswerError(`${where}: ${error.message}`);
    throw error;
  }
}
