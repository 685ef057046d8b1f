/** Frames between us and the helper's `serve` (native/serve.c): `length u32 | type u8 | id u32 | payload`, little-endian. */

const LENGTH_BYTES = 4;
const HEAD_BYTES = 9;
const NO_INPUT = 0xffffffff;
/** `serve` takes no frame of more than 40 MiB for one: it ends, and all its jobs with it. */
const MOST_BYTES = 40 * 1024 * 1024 - 64;

export interface Frame {
  readonly type: string;
  readonly id: number;
  /** A view. */
  readonly payload: Buffer;
}

/** Whether a job with this input and order can be started by a frame. */
export function fitsFrame(stdin: Uint8Array | undefined, order: Uint8Array): boolean {
  return (stdin?.length ?? 0) + order.length <= MOST_BYTES;
}

/** Starts a job: what it reads on standard input (undefined: nothing) and its order. */
export function spawnFrame(id: number, stdin: Uint8Array | undefined, order: Uint8Array): Buffer {
  const size = Buffer.alloc(LENGTH_BYTES);
  size.writeUInt32LE(stdin?.length ?? NO_INPUT);
  return frame('S', id, Buffer.concat([size, stdin ?? Buffer.alloc(0), order]));
}

/** Says what a cell holds: its first frame. */
export function viewFrame(order: Uint8Array): Buffer {
  return frame('V', 0, order);
}

/** K: a signal for a job's process; C: how many more bytes of output it may send. */
export function numberFrame(type: 'K' | 'C', id: number, value: number): Buffer {
  const payload = Buffer.alloc(LENGTH_BYTES);
  payload.writeUInt32LE(value);
  return frame(type, id, payload);
}

function frame(type: string, id: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUInt32LE(HEAD_BYTES - LENGTH_BYTES + payload.length, 0);
  bytes.write(type, LENGTH_BYTES, 'latin1');
  bytes.writeUInt32LE(id, LENGTH_BYTES + 1);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

/** Cuts what comes into frames. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly take: (frame: Frame) => void) {}

  push(chunk: Buffer): void {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (let size = sizeOf(bytes); size <= bytes.length; size = sizeOf(bytes)) {
      this.take({ type: bytes.toString('latin1', 4, 5), id: bytes.readUInt32LE(5), payload: bytes.subarray(HEAD_BYTES, size) });
      bytes = bytes.subarray(size);
    }
    this.rest = bytes;
  }
}

/** Of the frame that begins here; more than there is while its length is not complete. */
function sizeOf(bytes: Buffer): number {
  return bytes.length < HEAD_BYTES ? HEAD_BYTES : LENGTH_BYTES + bytes.readUInt32LE(0);
}
