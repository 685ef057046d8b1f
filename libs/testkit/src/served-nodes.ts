import {
  DMDIR,
  NinepError,
  type Awaitable,
  type OpenFile,
  type OpenMode,
  type Qid,
  type ServedNode,
  type Stat,
  type StatChange,
} from '#ninep';

const denied = (): NinepError => new NinepError('permission denied', 'EACCES');
const WRITABLE = 0o222;

/** What an open of a served file does. */
export type Opening = (file: ServedFile, mode: OpenMode) => Awaitable<OpenFile>;

/** What files and directories of the test tree have in common. */
abstract class ServedEntry implements ServedNode {
  parent: ServedDir | undefined;
  mtime = 1_700_000_000;
  version = 0;

  constructor(
    public name: string,
    readonly id: number,
    readonly mode: number,
  ) {}

  get qid(): Qid {
    return { type: this.mode >>> 24, version: this.version, path: this.id };
  }

  abstract readonly length: number;
  abstract walk(name: string): Awaitable<ServedNode | undefined>;
  abstract open(mode: OpenMode): Awaitable<OpenFile>;
  abstract list(): Awaitable<readonly Stat[]>;

  stat(): Stat {
    const { qid, mode, mtime, length, name } = this;
    return { qid, mode, atime: mtime, mtime, length, name, uid: 'glenda', gid: 'sys', muid: 'glenda' };
  }

  /** Renames, sets times and lengths; refuses modes and groups. */
  wstat(change: StatChange): void {
    if (change.mode !== undefined || change.gid !== undefined) throw denied();
    if (change.name !== undefined) this.checkName(change.name);
    if (change.length !== undefined) this.resize(change.length);
    if (change.name !== undefined) this.parent?.rename(this, change.name);
    this.mtime = change.mtime ?? this.mtime;
  }

  remove(): void {
    if (this.parent === undefined || !(this.mode & WRITABLE)) throw denied();
    this.parent.drop(this);
  }

  protected resize(_length: number): void {
    throw denied();
  }

  private checkName(name: string): void {
    if (this.parent === undefined) throw denied();
    if (this.parent.child(name) !== undefined) throw new NinepError(`file already exists: ${name}`, 'EEXIST');
  }
}

/** A directory; `mode` gives its permission bits, and without 0111 nobody may search it. */
export class ServedDir extends ServedEntry {
  readonly #children = new Map<string, ServedEntry>();
  readonly length = 0;

  constructor(name: string, id: number, permissions = 0o755) {
    super(name, id, (DMDIR | permissions) >>> 0);
  }

  add<T extends ServedEntry>(entry: T): T {
    entry.parent = this;
    this.#children.set(entry.name, entry);
    return entry;
  }

  child(name: string): ServedEntry | undefined {
    return this.#children.get(name);
  }

  rename(entry: ServedEntry, name: string): void {
    this.drop(entry);
    entry.name = name;
    this.#children.set(name, entry);
  }

  drop(entry: ServedEntry): void {
    this.#children.delete(entry.name);
  }

  walk(name: string): ServedNode | undefined {
    if (!(this.mode & 0o111)) throw denied();
    return name === '..' ? (this.parent ?? this) : this.#children.get(name);
  }

  open(): OpenFile {
    return { read: () => Buffer.alloc(0), write: () => undefined, close: () => undefined };
  }

  list(): readonly Stat[] {
    return [...this.#children.values()].map((child) => child.stat());
  }
}

/** A file with bytes that can be written and cut where its mode allows it; `opening` replaces what an open does. */
export class ServedFile extends ServedEntry {
  bytes: Buffer = Buffer.alloc(0);

  constructor(
    name: string,
    id: number,
    permissions: number,
    private readonly opening: Opening = plainOpening,
  ) {
    super(name, id, permissions);
  }

  get length(): number {
    return this.bytes.length;
  }

  walk(): never {
    throw new TypeError('the server walked from a file');
  }

  list(): never {
    throw new TypeError('the server listed a file');
  }

  open(mode: OpenMode): Awaitable<OpenFile> {
    const writes = (mode & 3) === 1 || (mode & 3) === 2;
    if ((writes || mode & 0x10) && !(this.mode & WRITABLE)) throw denied();
    if (!writes && mode & 0x10) throw denied();
    if (mode & 0x10) this.resize(0);
    return this.opening(this, mode);
  }

  replace(bytes: Buffer): void {
    this.bytes = bytes;
    this.version++;
  }

  write(offset: number, data: Uint8Array): void {
    const end = offset + data.length;
    const grown = Buffer.alloc(Math.max(end, this.bytes.length));
    this.bytes.copy(grown);
    grown.set(data, offset);
    this.replace(grown);
  }

  protected override resize(length: number): void {
    if (!(this.mode & WRITABLE)) throw denied();
    const resized = Buffer.alloc(length);
    this.bytes.copy(resized);
    this.replace(resized);
  }
}

/** Reads and writes the bytes by offset. */
export function plainOpening(file: ServedFile): OpenFile {
  return {
    read: (offset, count) => file.bytes.subarray(offset, offset + count),
    write: (offset, data) => file.write(offset, data),
    close: () => undefined,
  };
}
