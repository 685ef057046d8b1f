import {
  NinepError,
  type AttachingUser,
  type AttachRequest,
  type AuthConversation,
  type FileServer,
  type OpenFile,
  type ServedNode,
} from '#ninep';
import { plainOpening, ServedDir, ServedFile, type Opening } from './served-nodes.js';

const GUARDED = 'guarded';
const SECRET = 'open sesame';

/**
 * A small file server for tests of 9P itself. The user `guarded` must prove himself with the secret
 * `open sesame` and is answered `token`; everybody else needs no auth.
 *
 * | file | what it does |
 * |---|---|
 * | `hello`, `data` | plain bytes, read-only and writable |
 * | `block` | a read waits for `release` and gives `released` |
 * | `slow` | a write waits for `release` |
 * | `release` | a write lets all go on that wait |
 * | `sour` | refuses at clunk, unless nothing was written |
 * | `bug`, `greedy` | a read throws what is not for clients; a read gives more than was asked |
 * | `locked` | cannot be opened |
 * | `closings` | one line for each file that was closed: its name and why |
 * | `dir/a`, `dir/b`, `dir/deep/deeper` | for walks |
 * | `vault/gold` | behind a directory that cannot be searched |
 * | `many/entry00` ... `many/entry99` | for listings |
 */
export class ServedTree implements FileServer {
  readonly root = new ServedDir('/', 0);
  /** Reads and writes that wait now. */
  waiting = 0;
  readonly #closings: ServedFile;
  readonly #waiters = new Set<() => void>();
  #lastId = 0;

  constructor() {
    this.#file('hello', 0o444).bytes = Buffer.from('hello world\n');
    this.#file('data', 0o664).bytes = Buffer.from('some data\n');
    this.#file('block', 0o444, (file) => ({ ...plainOpening(file), read: (offset, _count, { signal }) => this.#read(offset, signal) }));
    this.#file('slow', 0o664, (file) => ({
      ...plainOpening(file),
      write: (offset, data, { signal }) => this.#write(file, { offset, data }, signal),
    }));
    this.#file('release', 0o222, (file) => ({ ...plainOpening(file), write: () => this.release() }));
    this.#file('sour', 0o664, sourOpening);
    this.#file('bug', 0o444, (file) => ({ ...plainOpening(file), read: () => fail() }));
    this.#file('greedy', 0o444, (file) => ({ ...plainOpening(file), read: (_offset, count) => Buffer.alloc(count + 1) }));
    this.#file('locked', 0o444, () => Promise.reject(denied()));
    this.#closings = this.#file('closings', 0o444);
    this.#addDirectories();
  }

  release(): void {
    for (const go of this.#waiters) go();
  }

  authenticate({ uname }: AttachingUser): AuthConversation {
    if (uname !== GUARDED) throw denied('no auth required');
    return conversation();
  }

  attach({ uname, auth }: AttachRequest): ServedNode {
    if (uname === GUARDED && auth === undefined) throw denied('authentication required');
    return this.root;
  }

  #addDirectories(): void {
    const dir = this.root.add(new ServedDir('dir', ++this.#lastId));
    dir.add(new ServedFile('a', ++this.#lastId, 0o664)).bytes = Buffer.from('a\n');
    dir.add(new ServedFile('b', ++this.#lastId, 0o664)).bytes = Buffer.from('bb\n');
    const deep = dir.add(new ServedDir('deep', ++this.#lastId));
    deep.add(new ServedDir('deeper', ++this.#lastId));
    this.root.add(new ServedDir('vault', ++this.#lastId, 0o644)).add(new ServedFile('gold', ++this.#lastId, 0o444));
    const many = this.root.add(new ServedDir('many', ++this.#lastId));
    for (let n = 0; n < 100; n++) many.add(new ServedFile(`entry${String(n).padStart(2, '0')}`, ++this.#lastId, 0o444));
  }

  #file(name: string, mode: number, opening: Opening = plainOpening): ServedFile {
    const open: Opening = async (file, how) => this.#noted(name, await opening(file, how));
    return this.root.add(new ServedFile(name, ++this.#lastId, mode, open));
  }

  #noted(name: string, file: OpenFile): OpenFile {
    const close: OpenFile['close'] = async (reason) => {
      this.#closings.replace(Buffer.concat([this.#closings.bytes, Buffer.from(`${name} ${reason}\n`)]));
      await file.close(reason);
    };
    return { ...file, close };
  }

  async #read(offset: number, signal: AbortSignal): Promise<Uint8Array> {
    if (offset > 0) return Buffer.alloc(0);
    await this.#released(signal);
    return Buffer.from('released\n');
  }

  async #write(file: ServedFile, { offset, data }: { offset: number; data: Uint8Array }, signal: AbortSignal): Promise<void> {
    await this.#released(signal);
    file.write(offset, data);
  }

  async #released(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waiting++;
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        this.#waiters.add(resolve);
      });
    } finally {
      this.waiting--;
    }
  }
}

function denied(why?: string): NinepError {
  return new NinepError(why === undefined ? 'permission denied' : `permission denied: ${why}`, 'EACCES');
}

function fail(): never {
  throw new Error('something broke');
}

function sourOpening(file: ServedFile): OpenFile {
  let isWritten = false;
  return {
    ...plainOpening(file),
    write: () => {
      isWritten = true;
    },
    close: (reason) => {
      if (isWritten && reason === 'clunk') throw new NinepError('illegal value: x=y', 'EINVAL');
    },
  };
}

function conversation(): AuthConversation {
  let done = false;
  return {
    get done() {
      return done;
    },
    write: (data) => {
      done = Buffer.from(data).toString() === SECRET;
      if (!done) throw denied('bad secret');
    },
    read: (offset, count) => Buffer.from(done ? 'token\n' : '').subarray(offset, offset + count),
  };
}
