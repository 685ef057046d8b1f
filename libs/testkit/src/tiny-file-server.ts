import {
  DMDIR,
  NinepError,
  QTDIR,
  type AttachRequest,
  type AuthConversation,
  type FileServer,
  type OpenFile,
  type OpenMode,
  type ServedNode,
  type Stat,
} from '#ninep';

/** What a file does; what is left out does nothing and holds nothing. */
export interface TinyFile {
  readonly mode?: number;
  readonly length?: number;
  read?(offset: number, count: number, signal: AbortSignal): Uint8Array | Promise<Uint8Array>;
  write?(offset: number, data: Uint8Array): void | Promise<void>;
  close?(): void | Promise<void>;
  remove?(): void;
}

/** A 9P tree of one directory, which writes down what clients do with it. */
export class TinyFileServer implements FileServer {
  /** `attach UNAME ANAME`, `open NAME MODE`, `write NAME OFFSET TEXT`, `close NAME REASON`, `wstat NAME CHANGE`, in order. */
  readonly log: string[] = [];

  constructor(
    private readonly files: Readonly<Record<string, TinyFile>>,
    private readonly secret?: string,
  ) {}

  authenticate(): AuthConversation {
    if (this.secret === undefined) throw new NinepError('permission denied: no auth required', 'EACCES');
    return new SecretConversation(this.secret);
  }

  attach({ uname, aname }: AttachRequest): ServedNode {
    this.log.push(`attach ${uname} ${aname}`);
    return this.root();
  }

  private root(): ServedNode {
    const nodes = Object.entries(this.files).map(([name, file], index) => this.node(name, file, index + 2));
    const root: ServedNode = {
      qid: { type: QTDIR, version: 0, path: 1 },
      walk: (name) => (name === '..' ? root : nodes[Object.keys(this.files).indexOf(name)]),
      stat: () => statOf('/', root, { mode: DMDIR + 0o555 }),
      open: () => ({ read: () => new Uint8Array(), write: () => undefined, close: () => undefined }),
      list: async () => {
        const stats: Stat[] = [];
        for (const node of nodes) stats.push(await node.stat());
        return stats;
      },
      wstat: () => undefined,
      remove: () => undefined,
    };
    return root;
  }

  private node(name: string, file: TinyFile, path: number): ServedNode {
    const node: ServedNode = {
      qid: { type: 0, version: 3, path },
      walk: () => undefined,
      stat: () => statOf(name, node, file),
      open: (mode) => this.open(name, file, mode),
      list: () => [],
      wstat: (change) => void this.log.push(`wstat ${name} ${JSON.stringify(change)}`),
      remove: () => file.remove?.(),
    };
    return node;
  }

  private open(name: string, file: TinyFile, mode: OpenMode): OpenFile {
    this.log.push(`open ${name} ${mode}`);
    return {
      read: (offset, count, { signal }) => file.read?.(offset, count, signal) ?? new Uint8Array(),
      write: (offset, data) => {
        this.log.push(`write ${name} ${offset} ${Buffer.from(data).toString()}`);
        return file.write?.(offset, data);
      },
      close: (reason) => {
        this.log.push(`close ${name} ${reason}`);
        return file.close?.();
      },
    };
  }
}

class SecretConversation implements AuthConversation {
  done = false;

  constructor(private readonly secret: string) {}

  write(data: Uint8Array): void {
    this.done = Buffer.from(data).toString() === this.secret;
    if (!this.done) throw new NinepError('permission denied: bad secret', 'EACCES');
  }

  read(offset: number): Uint8Array {
    return Buffer.from(offset === 0 ? 'token' : '');
  }
}

function statOf(name: string, { qid }: ServedNode, { mode = 0o664, length = 0 }: TinyFile): Stat {
  return { qid, mode, atime: 0, mtime: 1_764_498_300, length, name, uid: 'owner', gid: 'agent', muid: 'writer' };
}
