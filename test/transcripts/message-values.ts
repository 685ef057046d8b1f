import { decodeMessage, encodeMessage, NO_UID, type Dialect, type Fcall } from '#ninep';
import { ANY, type Fields, type Message, type Value } from './parse-transcript.js';

const KEEP = 0xffffffff;
const untouched = {
  type: 0xffff,
  dev: KEEP,
  qid: '255.4294967295.-1',
  mode: KEEP,
  atime: KEEP,
  mtime: KEEP,
  length: -1,
  name: '',
  uid: '',
  gid: '',
  muid: '',
};

/** Fields that a message has in 9P2000.L when a transcript does not name them. */
const linuxDefaults: Readonly<Record<string, Fields>> = {
  Tauth: { uid: NO_UID },
  Tattach: { uid: NO_UID },
  Tfsync: { datasync: 0 },
  Tsetattr: { valid: 0, mode: 0, uid: 0, gid: 0, size: 0, atime: 0, atimeNs: 0, mtime: 0, mtimeNs: 0 },
};

/** The bytes of a message that a transcript sends. */
export function bytesOf({ type, fields }: Message, dialect: Dialect): Buffer {
  if (fields['bytes'] instanceof Uint8Array) return Buffer.from(fields['bytes']);
  const stat = fields['stat'];
  const whole = {
    type,
    tag: 1,
    ...(type === 'Twalk' ? { names: [] } : {}),
    ...linuxDefaults[type],
    ...fields,
    ...(stat === undefined ? {} : { stat: { ...untouched, ...(stat as Fields) } }),
  };
  return encodeMessage(fromText(whole) as Fcall, dialect);
}

/** Qids and data are written as text. */
function fromText(value: Value): unknown {
  if (typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (isList(value)) return value.map(fromText);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, convert(name, field)]));
}

function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/** A word or a number as text. */
function wordOf(value: Value | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError('a word is missing');
}

function convert(name: string, value: Value): unknown {
  if (name === 'data') return Buffer.from(wordOf(value));
  if (name === 'names') return isList(value) ? value.map(wordOf) : [];
  if (!name.endsWith('qid')) return fromText(value);
  const [type = 0, version = 0, path = 0] = wordOf(value).split('.').map(Number);
  return { type, version, path };
}

/** A received frame in the words of a transcript: qids as `type.version.path`, data as text, `entries` of a directory read. */
export function wordsOf(frame: Buffer, dialect: Dialect): Message {
  const { type, ...fields } = decodeMessage(frame, dialect);
  return { type, fields: toText(fields) as Fields };
}

function toText(value: unknown): Value {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(toText);
  if (typeof value !== 'object' || value === null) return value as Value;
  if ('path' in value && 'version' in value && 'type' in value) return [value.type, value.version, value.path].join('.');
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toText(field)]));
}

/** Whether a received message is the expected one; fields that are not named may be anything, but the tag is 1 then. */
export function isExpected(expected: Message, actual: Message): boolean {
  const { entries, entryQids, ...fields }: Fields = { tag: 1, ...expected.fields };
  if (expected.type !== actual.type || !matches(fields, actual.fields)) return false;
  const named = (part: 'name' | 'qid', value: Value | undefined): boolean =>
    value === undefined ||
    matches(
      value,
      entriesOf(actual).map((entry) => entry[part]),
    );
  return named('name', entries) && named('qid', entryQids);
}

function matches(expected: Value, actual: Value | undefined): boolean {
  if (expected === ANY) return true;
  if (typeof expected === 'string') return (typeof actual === 'string' || typeof actual === 'number') && expected === String(actual);
  if (isList(expected)) return isList(actual) && actual.length === expected.length && expected.every((item, n) => matches(item, actual[n]));
  if (typeof expected !== 'object') return expected === actual;
  return Object.entries(expected).every(([name, value]) => matches(value, fieldOf(actual, name)));
}

function fieldOf(actual: Value | undefined, name: string): Value | undefined {
  return typeof actual === 'object' && !Array.isArray(actual) ? (actual as Fields)[name] : undefined;
}

interface Layout {
  readonly qidAt: number;
  /** Of the length of the name. */
  readonly nameAt: number;
  readonly size: (record: Buffer, name: number) => number;
}

/** Where things stand in the records of a directory read. */
const layouts: Readonly<Record<string, Layout>> = {
  Rread: { qidAt: 8, nameAt: 41, size: (record) => 2 + record.readUInt16LE(0) },
  Rreaddir: { qidAt: 0, nameAt: 22, size: (_record, name) => 24 + name },
};

/** The names in the data of a directory read; in 9P2000.L with their cookies and types, as `name.cookie.type`. */
function entriesOf({ type, fields }: Message): readonly { readonly name: string; readonly qid: string }[] {
  const layout = layouts[type];
  if (layout === undefined) return [];
  const { qidAt, nameAt, size } = layout;
  const bytes = Buffer.from(wordOf(fields['data']), 'latin1');
  const entries: { name: string; qid: string }[] = [];
  for (let at = 0; at < bytes.length;) {
    const record = bytes.subarray(at);
    const length = record.readUInt16LE(nameAt);
    const name = record.toString('utf8', nameAt + 2, nameAt + 2 + length);
    entries.push({
      name: type === 'Rread' ? name : [name, record.readUInt32LE(13), record.readUInt8(21)].join('.'),
      qid: [record.readUInt8(qidAt), record.readUInt32LE(qidAt + 1), record.readUInt32LE(qidAt + 5)].join('.'),
    });
    at += size(record, length);
  }
  return entries;
}
