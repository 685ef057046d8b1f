import { withoutTornEnd } from '#model';
import type { ByteLog } from '#virtfs';

const MAX_BYTES = 16 * 1024;
const NUL = 0;
/** ASCII's own substitute: one byte for one, so that offsets still add up. */
const SUBSTITUTE = 0x1a;

export interface ChatChunk {
  /** How much of the log it is; as many bytes as `text` has in UTF-8. */
  readonly bytes: number;
  readonly text: string;
}

/** At most 16 KiB of whole characters, fit for the bus. */
export function chatChunk(chat: ByteLog, offset: number): ChatChunk {
  const bytes = withoutTornEnd(piece(chat, offset));
  for (let at = bytes.indexOf(NUL); at !== -1; at = bytes.indexOf(NUL, at)) bytes[at] = SUBSTITUTE;
  return { bytes: bytes.length, text: bytes.toString('utf8') };
}

/** Where the last chunk of a log begins. */
export function lastChunkStart(chat: ByteLog): number {
  return chat.tailStart(MAX_BYTES);
}

/** A copy, put together of what the log gives at a time. */
function piece(chat: ByteLog, offset: number): Buffer {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < MAX_BYTES && offset + length < chat.length) {
    const next = chat.slice(offset + length, MAX_BYTES - length);
    pieces.push(next);
    length += next.length;
  }
  return Buffer.concat(pieces);
}
