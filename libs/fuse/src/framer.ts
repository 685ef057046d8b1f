const LENGTH_BYTES = 4;

/** Cuts a byte stream into frames, each of which begins with its length in 4 bytes. */
export class Framer {
  #chunks: Buffer[] = [];
  #held = 0;

  constructor(private readonly take: (frame: Buffer) => void) {}

  /** Gives each frame that is complete. RangeError for a length that is none. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#wanted()) return;
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#held);
    for (let size = sizeOf(rest); size <= rest.length; size = sizeOf(rest)) {
      this.take(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
  }

  #wanted(): number {
    const [first] = this.#chunks;
    return first === undefined ? LENGTH_BYTES : sizeOf(first);
  }
}

/** Of the frame that begins here; more than there is while its length is not complete. */
function sizeOf(bytes: Buffer): number {
  if (bytes.length < LENGTH_BYTES) return LENGTH_BYTES;
  const size = bytes.readUInt32LE(0);
  if (size < LENGTH_BYTES) throw new RangeError(`a frame of ${size} bytes`);
  return size;
}
