import { crc32 } from 'node:zlib';
import { EventStreamCodec, type MessageHeaders } from '@smithy/eventstream-codec';
import { messageOf } from '#config';
import { TransientError, type JsonObject, type JsonValue } from '#model';
import { tooLarge } from './body.js';
import { ByteQueue } from './byte-queue.js';
import type { Framing } from './framing.js';
import { parseDocument } from './parse-event.js';

/** The length of the message, that of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const SHORTEST_MESSAGE_BYTES = 16;
const LONGEST_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * The event stream of Amazon's services; its codec takes its time to load, so this is imported when it is needed. An event is `{kind, name, payload}`: `kind` is `event`, `exception` or `error`,
 * `name` says which one, `payload` is its JSON, its text when it is no JSON, and `{}` when there is none.
 */
export class EventStreamFraming implements Framing {
  private readonly queue = new ByteQueue();
  private readonly codec = new EventStreamCodec(
    (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
    (text) => Buffer.from(text, 'utf8'),
  );

  constructor(private readonly backend: string) {}

  get unfinished(): number {
    return this.queue.length;
  }

  push(piece: Buffer, take: (event: JsonValue) => void): void {
    this.queue.append(piece);
    for (let bytes = this.message(); bytes; bytes = this.message()) {
      const event = this.eventIn(bytes);
      this.queue.drop(bytes.length);
      take(event);
    }
  }

  /** A message says how long it is: one that is cut was not sent whole. */
  end(): void {
    if (this.queue.length > 0)
      throw new TransientError(`${this.backend}: stream ended early`, { backend: this.backend, kind: 'stream_drop' });
  }

  /** The first one of those held, if it is there whole. */
  private message(): Buffer | undefined {
    const { bytes } = this.queue;
    if (bytes.length < PRELUDE_BYTES) return undefined;
    const length = bytes.readUInt32BE(0);
    // A wrong length would be waited for.
    if (length < SHORTEST_MESSAGE_BYTES || crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw this.malformed('wrong prelude');
    if (length > LONGEST_MESSAGE_BYTES) throw tooLarge(this.backend);
    return bytes.length < length ? undefined : bytes.subarray(0, length);
  }

  private eventIn(bytes: Buffer): JsonObject {
    const { headers, body } = this.decoded(bytes);
    const header = (name: string): string => String(headers[name]?.value ?? '');
    const kind = header(':message-type') || 'event';
    if (kind === 'error') return { kind, name: header(':error-code'), payload: { message: header(':error-message') } };
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    return { kind, name: header(`:${kind}-type`), payload: this.payloadOf(text, header(':content-type')) };
  }

  private payloadOf(text: string, type: string): JsonValue {
    if (text === '') return {};
    return type === '' || type.includes('json') ? parseDocument(text, this.backend) : text;
  }

  private decoded(bytes: Buffer): { readonly headers: MessageHeaders; readonly body: Uint8Array } {
    try {
      return this.codec.decode(bytes);
    } catch (error) {
      throw this.malformed(messageOf(error));
    }
  }

  private malformed(what: string): TransientError {
    return new TransientError(`${this.backend}: malformed event stream: ${what}`, { backend: this.backend, kind: 'malformed' });
  }
}
