import { TooLongError } from './errors.js';
import { GatheredBytes } from './gathered-bytes.js';
import { LineBuffer } from './line-buffer.js';
import type { Access, CloseReason } from './types.js';

const MAX_MESSAGE = 16 * 1024 * 1024;

/** Checks one complete line; throws to refuse it. True: what follows is free text. */
export type LineCheck = (line: string) => boolean | void;

/**
 * One message as its writes come in. They are joined in the order of arrival, whatever their offsets
 * (a mount appends at offset 0 over and over). A refused message stays refused: each later write throws
 * the same error and `text` is undefined, so that half a message never takes effect.
 */
export class MessageBuffer {
  private readonly written = new GatheredBytes();
  private readonly lines = new LineBuffer(Infinity);
  private size = 0;
  private refusal: { readonly error: unknown } | undefined;

  constructor(private check?: LineCheck) {}

  /** Throws TooLongError above 16 MiB, or what the check throws. */
  add(data: Uint8Array): void {
    if (!this.refusal) this.refusal = this.refusalOf(data);
    if (this.refusal) throw this.refusal.error;
    this.written.add(data);
  }

  /** The whole message; undefined when nothing was written or it was refused. */
  get text(): string | undefined {
    return this.refusal || this.size === 0 ? undefined : this.written.text;
  }

  /** As `text`, before it is decoded. */
  get bytes(): Uint8Array | undefined {
    return this.refusal || this.size === 0 ? undefined : this.written.bytes;
  }

  /** Throws the error of a refused message. */
  demand(): string {
    if (this.refusal) throw this.refusal.error;
    return this.written.text;
  }

  private refusalOf(data: Uint8Array): { readonly error: unknown } | undefined {
    this.size += data.length;
    if (this.size > MAX_MESSAGE) return { error: new TooLongError() };
    try {
      this.checkLines(data);
    } catch (error) {
      return { error };
    }
    return undefined;
  }

  private checkLines(data: Uint8Array): void {
    if (!this.check) return;
    for (const line of this.lines.push(data)) {
      if (line !== undefined && this.check?.(line) === true) this.check = undefined;
    }
  }
}

/** Whether a message that waits takes effect at this close: a broken connection ends a write-only message, and abandons a conversation. */
export function commitsAt(reason: CloseReason, access: Access): boolean {
  return reason === 'clunk' || !access.read;
}
