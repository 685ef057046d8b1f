import { uncancelled } from './awaitable.js';
import { FileDeniedError } from './errors.js';
import { MessageBuffer } from './message-buffer.js';
import type { Awaitable, Call, Client, FileBehaviour, FileHandle, FileSpec } from './types.js';
import { WriteFacts } from './write-facts.js';

/**
 * All writes of one handle are one message, given to `accept` when the handle closes, also when the
 * connection broke (some clients never say goodbye). A handle without a write does nothing. The close
 * waits for `accept` and fails as it fails; a message above 16 MiB fails at the write and is dropped.
 * The text is decoded as UTF-8 (bytes that are none become U+FFFD) and nothing is cut off. Handles are
 * independent: messages are accepted in the order of the closes.
 */
export function message<S>(about: string, accept: (s: S, text: string, call: Call) => Awaitable<void>): FileSpec<S> {
  return { kind: 'message', mode: 0o220, about, bind: (s) => new MessageFile((text, call) => accept(s, text, call)) };
}

type Accept = (text: string, call: Call) => Awaitable<void>;

class MessageFile implements FileBehaviour {
  private readonly uses = new WriteFacts();

  constructor(private readonly accept: Accept) {}

  get version(): number {
    return this.uses.version;
  }

  facts() {
    return this.uses.facts();
  }

  open(_access: unknown, client: Client): FileHandle {
    return new MessageHandle(async (text) => {
      await this.accept(text, { signal: uncancelled(), client });
      this.uses.touch(client);
    });
  }
}

class MessageHandle implements FileHandle {
  private written = new MessageBuffer();

  constructor(private readonly accept: (text: string) => Promise<void>) {}

  read(): never {
    throw new FileDeniedError();
  }

  write(_offset: number, data: Uint8Array): void {
    if (data.length > 0) this.written.add(data);
  }

  async close(): Promise<void> {
    const { text } = this.written;
    this.written = new MessageBuffer();
    if (text !== undefined) await this.accept(text);
  }
}
