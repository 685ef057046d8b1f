import { FileDeniedError } from './errors.js';
import type { Awaitable, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

export interface ByteRange {
  readonly offset: number;
  readonly count: number;
}

/**
 * Bytes that somebody else has and that are read from there by offset, piece by piece; an empty piece is the end for now. Nothing is
 * kept: stat tells the length that reads have come to. A read fails as its arrow fails. Handles are independent.
 */
export function remoteBytes<S>(about: string, read: (s: S, range: ByteRange, call: Call) => Awaitable<Uint8Array>): FileSpec<S> {
  return { kind: 'text', mode: 0o444, about, bind: (s) => new RemoteBytesFile((range, call) => read(s, range, call)) };
}

class RemoteBytesFile implements FileBehaviour {
  private known: FileFacts = { length: 0, version: 0, mtimeMs: Date.now(), muid: '' };

  constructor(private readonly fetch: (range: ByteRange, call: Call) => Awaitable<Uint8Array>) {}

  get version(): number {
    return this.known.version;
  }

  facts(): FileFacts {
    return this.known;
  }

  open(_access: unknown, client: Client): FileHandle {
    return {
      read: async (offset, count, { signal }) => {
        const piece = await this.fetch({ offset, count }, { signal, client });
        this.saw(offset + piece.length);
        return piece;
      },
      write: () => {
        throw new FileDeniedError();
      },
      close: () => undefined,
    };
  }

  private saw(end: number): void {
    const { length, version } = this.known;
    if (end > length) this.known = { length: end, version: version + 1, mtimeMs: Date.now(), muid: '' };
  }
}
