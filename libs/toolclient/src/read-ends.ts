import { type Client, openMode, type RemoteFile } from '#ninep';

/** What of a file is wanted. */
export interface Wanted {
  readonly path: string;
  readonly maxBytes: number;
}

/** A file as text; of a longer one only its start and its end, around a line that says what was left out. No character is cut. */
export async function readEnds(
  client: Client,
  { path, maxBytes }: Wanted,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const { length } = await client.stat(path, signal);
  const file = await client.open(path, openMode.read, signal);
  try {
    if (length <= maxBytes) return { text: textOf(await readRange(file, { from: 0, to: length }, signal)), isWhole: true };
    const half = Math.floor(maxBytes / 2);
    const head = withoutCutEnd(await readRange(file, { from: 0, to: half }, signal));
    const tail = withoutCutStart(await readRange(file, { from: length - half, to: length }, signal));
    const left = length - head.length - tail.length;
    return { text: `${textOf(head)}\n[... ${left} of ${length} bytes left out ...]\n${textOf(tail)}`, isWhole: false };
  } finally {
    await file.clunk();
  }
}

async function readRange(
  file: RemoteFile,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let at = from; at < to;) {
    const piece = await file.read(at, to - at, signal);
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}

const isContinuation = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;

/** Drops the first bytes of a character whose rest is missing. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const first = bytes[start] ?? 0;
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + wanted > bytes.length ? bytes.subarray(0, start) : bytes;
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}
