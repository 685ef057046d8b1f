import { FileDeniedError, isClientError } from './errors.js';
import type { Awaitable, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

/** So long a stat waits for whoever has the bytes; then it tells what was known. */
const STAT_LIMIT_MS = 1_000;

export interface ByteRange {
  readonly offset: number;
  readonly count: number;
}

/** Where the bytes of a subject are read from. */
export interface RemoteBytes<in S> {
  /** An empty piece is the end for now. */
  readonly read: (s: S, range: ByteRange, call: Call) => Awaitable<Uint8Array>;
  /** How many there are now. */
  readonly length: (s: S, signal: AbortSignal) => Awaitable<number>;
}

/**
 * Bytes that somebody else has and that are read from there by offset, piece by piece. Nothing is kept, and nothing
 * waits. Stat asks for the length, and tells what was known before where it gets no answer within a second: a directory must stay
 * listable. A read fails as its arrow fails. Handles are independent.
 */
export function remoteBytes<S>(about: string, source: RemoteBytes<S>): FileSpec<S> {
  return { kind: 'text', mode: 0o444, about, bind: (s) => new RemoteBytesFile(s, source) };
}

class RemoteBytesFile<S> implements FileBehaviour {
  private known: FileFacts = { length: 0, version: 0, mtimeMs: Date.now(), muid: '' };

  constructor(
    private readonly subject: S,
    private readonly source: RemoteBytes<S>,
  ) {}

  get version(): number {
    return this.known.version;
  }

  async facts(): Promise<FileFacts> {
    try {
      this.saw(await this.source.length(this.subject, AbortSignal.timeout(STAT_LIMIT_MS)));
    } catch (error) {
      if (!isClientError(error) && !isTimeout(error)) throw error;
    }
    return this.known;
  }

  open(_access: unknown, client: Client): FileHandle {
    return {
      read: async (offset, count, { signal }) => {
        const piece = await this.source.read(this.subject, { offset, count }, { signal, client });
        if (piece.length > 0) this.saw(offset + piece.length);
        return piece;
      },
      write: () => {
        throw new FileDeniedError();
      },
      close: () => undefined,
    };
  }

  /** What is there only grows. */
  private saw(end: number): void {
    const { length, version } = this.known;
    if (end > length) this.known = { length: end, version: version + 1, mtimeMs: Date.now(), muid: '' };
  }
}

function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
}
