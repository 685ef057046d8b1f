import type { DataBuffer } from './data-buffer.js';
import type { Access, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

/**
 * Bytes kept by the server, read and written by offset like a plain file; opening with truncation clears
 * them. All handles see one content: each write is whole, the last one wins. A write above the buffer's
 * limit throws TooLongError and changes nothing. Nothing waits, nothing is left to do at a close.
 */
export function data<S>(about: string, buffer: (s: S) => DataBuffer): FileSpec<S> {
  return { kind: 'data', mode: 0o664, about, bind: (s) => new DataFile(() => buffer(s)) };
}

class DataFile implements FileBehaviour {
  constructor(private readonly buffer: () => DataBuffer) {}

  get version(): number {
    return this.buffer().version;
  }

  open(access: Access, client: Client): FileHandle {
    if (access.truncate) this.buffer().truncate(0, client.uname);
    return {
      read: (offset, count) => this.buffer().bytes.subarray(offset, offset + count),
      write: (offset, bytes) => {
        if (bytes.length > 0) this.buffer().write(offset, bytes, client.uname);
      },
      close: () => undefined,
    };
  }

  facts(): FileFacts {
    const { length, version, mtimeMs, muid } = this.buffer();
    return { length, version, mtimeMs, muid };
  }

  truncate(length: number, call: Call): void {
    this.buffer().truncate(length, call.client.uname);
  }
}
