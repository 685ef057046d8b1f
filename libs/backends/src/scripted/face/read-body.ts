import type { IncomingMessage } from 'node:http';
import { ScriptRefusal } from '../errors.js';

const MOST_BODY_BYTES = 32 * 1024 * 1024;

/** Throws ScriptRefusal (413) for more than 32 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    const bytes = Buffer.from(piece as Uint8Array); // an IncomingMessage without an encoding gives bytes
    length += bytes.length;
    if (length > MOST_BODY_BYTES) throw new ScriptRefusal('Request entity too large', 413, 'request_too_large');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}
