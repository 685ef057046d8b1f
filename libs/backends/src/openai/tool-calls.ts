import { isJsonObject, type JsonObject, type ToolCall } from '#model';
import { argumentTextIn } from '../wire/argument-text-in.js';
import { claimId } from '../wire/claim-id.js';
import { listField, numberField, objectField, textField } from '../wire/json-fields.js';
import { readArguments } from '../wire/read-arguments.js';
import { ObjectScanner } from './object-scanner.js';

interface OpenCall {
  readonly index: number | undefined;
  readonly scanner: ObjectScanner;
  id: string | undefined;
  name: string;
  text: string;
}

/** One piece of a call; an empty id or name is none. */
interface Piece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/**
 * Puts tool calls together from deltas of every known shape: index missing, shared or not from 0, id and name repeated
 * or missing, arguments in pieces, whole, as an object or absent, and the legacy `function_call`.
 */
export class ToolCallCollector {
  private readonly calls: OpenCall[] = [];
  /** The newest call of each index, and of all. */
  private readonly newest = new Map<number | 'all', OpenCall>();
  /** By index (or `all`) and id. */
  private readonly identified = new Map<string, OpenCall>();

  constructor(private readonly usedIds: ReadonlySet<string>) {}

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Takes the pieces of one delta; false when it has none. */
  add(delta: JsonObject): boolean {
    if (delta.tool_calls === undefined && delta.function_call === undefined) return false;
    const pieces = listField(delta, 'tool_calls').filter(isJsonObject).map(pieceOf);
    const legacy = objectField(delta, 'function_call');
    if (legacy) pieces.push({ ...functionOf(legacy), index: undefined, id: undefined });
    pieces.forEach((piece) => this.take(piece));
    return pieces.length > 0;
  }

  /** The complete calls in the order of first appearance, each with an id of its own; undefined when one has no name. */
  finish(): readonly ToolCall[] | undefined {
    if (this.calls.some(({ name }) => name === '')) return undefined;
    const taken = new Set(this.usedIds);
    return this.calls.map(({ id, name, text }) => ({ id: claimId(id, taken), name, ...readArguments(text) }));
  }

  private take(piece: Piece): void {
    const call = this.find(piece) ?? this.begin(piece);
    call.id ??= piece.id;
    call.name ||= piece.name ?? '';
    call.text += piece.text;
    call.scanner.push(piece.text);
    if (piece.id !== undefined) for (const scope of scopesOf(call)) this.identified.set(`${scope} ${piece.id}`, call);
  }

  /** By index when there is one, else by id, else the newest call. A new id, or a new whole call, is not found. */
  private find(piece: Piece): OpenCall | undefined {
    const { index, id } = piece;
    const scope = index ?? 'all';
    const last = this.newest.get(scope);
    if (id !== undefined)
      return this.identified.get(`${scope} ${id}`) ?? (index !== undefined && last?.id === undefined ? last : undefined);
    return last && startsAnother(last, piece) ? undefined : last;
  }

  private begin({ index, name = '' }: Piece): OpenCall {
    const call: OpenCall = { index, scanner: new ObjectScanner(), id: undefined, name, text: '' };
    this.calls.push(call);
    for (const scope of scopesOf(call)) this.newest.set(scope, call);
    return call;
  }
}

function scopesOf({ index }: OpenCall): readonly (number | 'all')[] {
  return index === undefined ? ['all'] : ['all', index];
}

/** A piece without an id belongs to the open call unless it names another function or follows complete arguments. */
function startsAnother(last: OpenCall, { name, text }: Piece): boolean {
  if (name === undefined || last.name === '') return false;
  return name !== last.name || (text !== '' && (last.scanner.isClosed || last.text === 'null'));
}

function pieceOf(value: JsonObject): Piece {
  return { ...functionOf(objectField(value, 'function')), index: numberField(value, 'index'), id: textField(value, 'id') || undefined };
}

function functionOf(value: JsonObject | undefined): Pick<Piece, 'name' | 'text'> {
  return { name: textField(value, 'name') || undefined, text: argumentTextIn(value?.arguments) };
}
