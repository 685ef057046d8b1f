import { withoutTornEnd, withoutTornStart } from '#model';
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
    const head = withoutTornEnd(await readRange(file, { from: 0, to: half }, signal));
    const tail = withoutTornStart(await readRange(file, { from: length - half, to: length }, signal));
    const left = length - head.length - tail.length;
    return { text: `${textOf(head)}\n[... ${left} of ${length} bytes left out ...]\n${textOf(tail)}`, isWhole: false };
  } finally {
    await file.clunk();
  }
}

/** The bytes of a range; fewer where the file ends. */
export async function readRange(
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

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}
