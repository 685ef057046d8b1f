import { readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Calls `take(line, number)` for each line without its line end, until it returns false. Returns the number of lines seen. */
export function eachLine(descriptor, keepBytes, take) {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let line = newLine();
  let seen = 0;
  for (let position = 0; ;) {
    const count = readSync(descriptor, chunk, 0, CHUNK_BYTES, position);
    position += count;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1 && end < count; end = chunk.indexOf(NEWLINE, start)) {
      grow(line, chunk.subarray(start, end), keepBytes);
      seen += 1;
      if (!take(line, seen)) return seen;
      line = newLine();
      start = end + 1;
    }
    grow(line, chunk.subarray(start, count), keepBytes);
    if (count === 0) break;
  }
  if (line.bytes === 0) return seen;
  take(line, seen + 1);
  return seen + 1;
}

function newLine() {
  return { parts: [], kept: 0, bytes: 0 };
}

/** A line of any length costs no more memory than what is kept of it. */
function grow(line, part, keepBytes) {
  const kept = part.subarray(0, Math.max(0, keepBytes - line.kept));
  if (kept.length > 0) line.parts.push(Buffer.from(kept));
  line.kept += kept.length;
  line.bytes += part.length;
}
