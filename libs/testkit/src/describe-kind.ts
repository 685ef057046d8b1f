import { dir, InterruptedFileError, mount, type Access, type Client, type FileHandle, type FileSpec, type TreeNode } from '#virtfs';

/** How one kind of file shows what every kind must keep. A new subject is made for each check. */
export interface KindFixture<S extends object> {
  readonly row: FileSpec<S>;
  readonly subject: () => S;
  readonly mode: number;
  /** What a handle gives from its first read to its end; left out for files that are only written. */
  readonly content?: string;
  /** What is written to a read-write file before its content is there. */
  readonly request?: string;
  readonly length: 'that of the content' | 'zero';
  /** What a write leaves behind, for files that are written: equal before and after a write of nothing. */
  readonly effects?: (subject: S) => unknown;
  /** Makes a read at `offset` wait (until `unblock`), for kinds that wait. */
  readonly block?: (subject: S) => { readonly offset: number };
  readonly unblock?: (subject: S) => void;
  /** Makes the version grow. */
  readonly change?: (subject: S, node: TreeNode) => Promise<void> | void;
}

const CLIENT: Client = { role: 'user', uname: 'someone', aname: '', tag: 'someone.1.2', leader: 'someone' };
const NEVER = new AbortController().signal;

/** The checks that hold for every kind; call it in the kind's own spec. */
export function describeKind<S extends object>(name: string, fixture: KindFixture<S>): void {
  const begin = () => new Bench(fixture);
  const readable = (fixture.mode & 0o440) !== 0;
  const writable = (fixture.mode & 0o220) !== 0;

  describe(`every kind: ${name}`, () => {
    it('has the mode bits of the contract', () => expect(begin().node.mode).toBe(fixture.mode));

    it('tells the length that the contract asks for', async () => {
      const { length } = await begin().node.stat();
      expect(length).toBe(fixture.length === 'zero' ? 0 : Buffer.byteLength(fixture.content ?? ''));
    });

    it('keeps its id however often it is walked to', () => {
      const bench = begin();
      expect(bench.walk().id).toBe(bench.node.id);
    });

    it('closes twice as once, for a clunk and for a hang-up', async () => {
      for (const reason of ['clunk', 'hangup'] as const) {
        const bench = begin();
        const handle = await bench.open();
        if (writable) await handle.write(0, Buffer.from(fixture.request ?? ''), { signal: NEVER });
        await handle.close(reason);
        const before = fixture.effects?.(bench.subject);
        await handle.close(reason);
        expect(fixture.effects?.(bench.subject)).toEqual(before);
      }
    });

    if (readable) describeReading(fixture, begin);
    if (writable) describeWriting(fixture, begin);
    if (fixture.block) describeBlocking(fixture, begin);
    if (fixture.change) describeVersion(fixture, begin);
  });
}

function describeReading<S extends object>(fixture: KindFixture<S>, begin: () => Bench<S>): void {
  const content = fixture.content ?? '';

  it('gives its content in pieces of any size, then the end, again and again', async () => {
    for (const size of [1, 3, 4096]) {
      const { handle, base } = await begin().ready();
      expect(await drain(handle, base, size)).toBe(content);
      const end = base + Buffer.byteLength(content);
      expect(await handle.read(end, size, { signal: NEVER })).toHaveLength(0);
      expect(await handle.read(end + 1000, size, { signal: NEVER })).toHaveLength(0);
      await handle.close('clunk');
    }
  });

  it('gives what lies at an offset, once it was read from the start', async () => {
    const { handle, base } = await begin().ready();
    await drain(handle, base, 4096);
    const piece = await handle.read(base + 1, 2, { signal: NEVER });
    expect(Buffer.from(piece).toString()).toBe(Buffer.from(content).subarray(1, 3).toString());
    await handle.close('clunk');
  });

  it('gives each of two handles the whole content', async () => {
    const bench = begin();
    const [one, other] = [await bench.ready(), await bench.ready()];
    expect(await drain(one.handle, one.base, 2)).toBe(content);
    expect(await drain(other.handle, other.base, 2)).toBe(content);
    await one.handle.close('clunk');
    await other.handle.close('clunk');
  });
}

function describeWriting<S extends object>(fixture: KindFixture<S>, begin: () => Bench<S>): void {
  it('does nothing for a write of nothing', async () => {
    const bench = begin();
    const before = fixture.effects?.(bench.subject);
    const handle = await bench.open();
    await handle.write(0, new Uint8Array(0), { signal: NEVER });
    await handle.close('clunk');
    expect(fixture.effects?.(bench.subject)).toEqual(before);
  });

  it('keeps a copy of what is written', async () => {
    const written = async (spoil: boolean) => {
      const bench = begin();
      const handle = await bench.open();
      const data = Buffer.from(fixture.request ?? '');
      await handle.write(0, data, { signal: NEVER });
      if (spoil) data.fill(0x21);
      await handle.close('clunk');
      return fixture.effects?.(bench.subject);
    };
    expect(await written(true)).toEqual(await written(false));
  });
}

function describeBlocking<S extends object>(fixture: KindFixture<S>, begin: () => Bench<S>): void {
  it('ends a blocked read when it is interrupted, and can be read afterwards', async () => {
    const bench = begin();
    const { handle, base } = await bench.ready();
    const { offset } = fixture.block?.(bench.subject) ?? { offset: 0 };
    const stop = new AbortController();
    const read = Promise.resolve(handle.read(base + offset, 100, stop));
    expect(await isSettled(read)).toBe(false);
    stop.abort();
    await expect(read).rejects.toThrow(InterruptedFileError);
    const again = Promise.resolve(handle.read(base + offset, 100, { signal: NEVER }));
    const outcome = again.then(
      () => 'answered',
      () => 'answered',
    );
    fixture.unblock?.(bench.subject);
    expect(await outcome).toBe('answered');
    await handle.close('clunk');
  });

  it('does not begin to wait for a request that is interrupted already', async () => {
    const bench = begin();
    const { handle, base } = await bench.ready();
    const { offset } = fixture.block?.(bench.subject) ?? { offset: 0 };
    const read = async () => handle.read(base + offset, 100, { signal: AbortSignal.abort() });
    await expect(read()).rejects.toThrow(InterruptedFileError);
    await handle.close('clunk');
    fixture.unblock?.(bench.subject);
  });
}

function describeVersion<S extends object>(fixture: KindFixture<S>, begin: () => Bench<S>): void {
  it('has a later version after a change, and the same without one', async () => {
    const bench = begin();
    const first = await bench.node.stat();
    expect((await bench.node.stat()).version).toBe(first.version);
    await fixture.change?.(bench.subject, bench.node);
    expect((await bench.node.stat()).version).toBeGreaterThan(first.version);
    expect(bench.node.version).toBe((await bench.node.stat()).version);
  });
}

/** One mounted file. */
class Bench<S extends object> {
  readonly subject: S;
  private readonly root: TreeNode;

  constructor(private readonly fixture: KindFixture<S>) {
    this.subject = fixture.subject();
    this.root = mount(dir<S>({ file: fixture.row }), this.subject);
  }

  get node(): TreeNode {
    return this.walk();
  }

  walk(): TreeNode {
    const node = this.root.walk('file');
    if (!node) throw new Error('testkit: the file is not there');
    return node;
  }

  async open(): Promise<FileHandle> {
    const { mode } = this.fixture;
    const access: Access = { read: (mode & 0o440) !== 0, write: (mode & 0o220) !== 0, truncate: false };
    return this.node.open(access, CLIENT);
  }

  /** A handle whose content is to be read from `base` on. */
  async ready(): Promise<{ readonly handle: FileHandle; readonly base: number }> {
    const handle = await this.open();
    if (this.fixture.content === undefined || this.fixture.request === undefined || this.fixture.row.kind === 'data')
      return { handle, base: 0 };
    const request = Buffer.from(this.fixture.request);
    await handle.write(0, request, { signal: NEVER });
    return { handle, base: request.length };
  }
}

async function drain(handle: FileHandle, base: number, size: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let offset = base;
  for (;;) {
    const piece = await handle.read(offset, size, { signal: NEVER });
    if (piece.length === 0) return Buffer.concat(pieces).toString();
    expect(piece.length).toBeLessThanOrEqual(size);
    pieces.push(Buffer.from(piece));
    offset += piece.length;
  }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const later = new Promise((resolve) => setTimeout(resolve, 20, pending));
  const settled = promise.then(
    () => true,
    () => true,
  );
  return (await Promise.race([settled, later])) !== pending;
}
