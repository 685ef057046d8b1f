import { messages, type Fcall } from './fcall.js';
import type { Field } from './fields.js';
import type { ServedNode } from './file-server.js';
import { EntryListing } from './linux/entry-listing.js';
import { errnoOf } from './linux/errno.js';
import { linuxMessages } from './linux/messages.js';
import { StatListing, type Listing } from './listing.js';

/** The layout of one message. */
export interface MessageShape {
  readonly type: string;
  readonly fields: readonly (readonly [name: string, field: Field<unknown>])[];
  readonly number: number;
}

/** What differs between the members of the 9P family: their messages, how they tell an error, how a directory is read. */
export interface Dialect {
  readonly version: string;
  /** Indexed by the message number. */
  readonly byNumber: readonly (MessageShape | undefined)[];
  readonly byType: ReadonlyMap<string, MessageShape>;
  /** The reply that tells an error. */
  failure(tag: number, error: { readonly message: string; readonly posix: string }): Fcall;
  listing(directory: ServedNode): Listing;
}

type MessageTable = Readonly<Record<string, { readonly number: number; readonly fields: Readonly<Record<string, Field<unknown>>> }>>;

function shapesOf(table: MessageTable): Pick<Dialect, 'byNumber' | 'byType'> {
  const shapes = Object.entries(table).map(([type, { number, fields }]) => ({ type, number, fields: Object.entries(fields) }));
  const byNumber = Array.from({ length: 256 }, (_, number) => shapes.find((shape) => shape.number === number));
  return { byNumber, byType: new Map(shapes.map((shape) => [shape.type, shape])) };
}

const LONGEST_ERROR_BYTES = 240;

/** The longest beginning of `text` that fits the smallest message and cuts no character. */
function shorten(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_ERROR_BYTES) return text;
  const isWithin = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
  let end = LONGEST_ERROR_BYTES;
  while (isWithin(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

export const ninep2000: Dialect = {
  version: '9P2000',
  ...shapesOf(messages),
  failure: (tag, error) => ({ type: 'Rerror', tag, ename: shorten(error.message) }),
  listing: (directory) => new StatListing(directory),
};

/** The messages of 9P2000 that 9P2000.L has replaced by others. */
const replaced: readonly string[] = ['Rerror', 'Topen', 'Ropen', 'Tcreate', 'Rcreate', 'Tstat', 'Rstat', 'Twstat', 'Rwstat'];
const kept: MessageTable = Object.fromEntries(Object.entries(messages).filter(([type]) => !replaced.includes(type)));

/** What Linux speaks. */
export const ninep2000L: Dialect = {
  version: '9P2000.L',
  ...shapesOf({ ...kept, ...linuxMessages }),
  failure: (tag, { posix }) => ({ type: 'Rlerror', tag, ecode: errnoOf(posix) }),
  listing: (directory) => new EntryListing(directory),
};

/** The dialect that answers a Tversion, or undefined for `unknown`. */
export function dialectFor(version: string): Dialect | undefined {
  if (version === ninep2000L.version) return ninep2000L;
  return version.startsWith('9P2000') ? ninep2000 : undefined;
}
