import { ninep2000L } from '../dialect.js';
import { illegalArgument } from '../errors.js';
import type { Fcall, FcallOf } from '../fcall.js';
import { DMDIR, QTDIR, type ServedNode, type Stat, type StatChange } from '../file-server.js';
import { defaultLimits } from '../limits.js';
import { Request } from '../requests.js';
import { Session } from '../session.js';
import { setattr } from './handle-attributes.js';
import { rename, renameat, unlinkat } from './handle-names.js';
import { readdir } from './handle-open.js';
import { Locks } from './locks.js';
import { WriteAllowance } from '../write-allowance.js';

const SET = { mode: 0x1, size: 0x8, atime: 0x10, mtime: 0x20, ctime: 0x40, givenAtime: 0x80, givenMtime: 0x100 };
const DMAPPEND = 0x40000000;
const DIRECTORY = 0;
const FILE = 1;

/** A file in a directory; what it is asked for ends when it is told to, or is aborted. */
class SlowNode implements ServedNode {
  readonly asked: (StatChange | 'remove')[] = [];
  isSlow = false;
  readonly parent: SlowNode;
  #go: () => void = () => undefined;

  constructor(
    readonly qid: ServedNode['qid'],
    readonly mode: number,
    parent?: SlowNode,
  ) {
    this.parent = parent ?? this;
  }

  child: SlowNode | undefined;

  walk(name: string): ServedNode | undefined {
    return name === '..' ? this.parent : this.child;
  }

  stat(): Stat {
    const { qid, mode } = this;
    return { qid, mode, atime: 1, mtime: 1, length: 0, name: 'name', uid: '', gid: '', muid: '' };
  }

  list(): readonly Stat[] | Promise<readonly Stat[]> {
    const stats = this.child === undefined ? [] : [this.child.stat()];
    return this.isSlow ? new Promise((resolve) => (this.#go = () => resolve(stats))) : stats;
  }

  open(): never {
    throw new Error('nobody opens it');
  }

  wstat(change: StatChange, signal: AbortSignal): Promise<void> {
    return this.#do(change, signal);
  }

  remove(signal: AbortSignal): Promise<void> {
    return this.#do('remove', signal);
  }

  release(): void {
    this.#go();
  }

  async #do(what: StatChange | 'remove', signal: AbortSignal): Promise<void> {
    this.asked.push(what);
    if (!this.isSlow) return;
    await new Promise<void>((resolve, reject) => {
      this.#go = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  }
}

describe('a change in 9P2000.L', () => {
  let session: Session;
  let directory: SlowNode;
  let file: SlowNode;

  beforeEach(async () => {
    const refuse = () => {
      throw illegalArgument('no files');
    };
    session = new Session(
      {
        files: { authenticate: refuse, attach: refuse },
        limits: defaultLimits,
        connectionId: 1,
        allowance: new WriteAllowance(1000),
        onAttach: () => undefined,
        locks: new Locks(),
        onBug: refuse,
      },
      ninep2000L,
      8192,
    );
    directory = new SlowNode({ type: QTDIR, version: 0, path: 1 }, DMDIR | 0o755);
    file = new SlowNode({ type: 0, version: 0, path: 2 }, DMAPPEND | 0o664, directory);
    directory.child = file;
    const opened = { read: refuse, write: refuse, close: () => undefined };
    await session.makeFid(DIRECTORY, async (fid) => {
      const listing = ninep2000L.listing(directory);
      fid.state = { kind: 'open', node: directory, mode: 0, file: opened, listing };
    });
    await session.makeFid(FILE, async (fid) => {
      fid.state = { kind: 'node', node: file };
    });
  });

  const nothing = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, atimeNs: 0, mtime: 0, mtimeNs: 0 };
  const setattrOf = (fields: Partial<FcallOf<'Tsetattr'>>) =>
    ({ type: 'Tsetattr', tag: 1, fid: FILE, valid: 0, ...nothing, ...fields }) as const;

  async function asked(fields: Partial<FcallOf<'Tsetattr'>>): Promise<readonly unknown[]> {
    await setattr(session, setattrOf(fields), new Request(1, 0));
    return file.asked.splice(0);
  }

  it('of times is to those given, each by its own bit, else to now', async () => {
    const now = expect.closeTo(Date.now() / 1000, -1) as number;
    const [atime, mtime] = [5, 6];
    const { givenAtime, givenMtime } = SET;
    expect(await asked({ valid: SET.atime | givenAtime, atime, mtime })).toEqual([{ atime }]);
    expect(await asked({ valid: SET.mtime | givenMtime, atime, mtime })).toEqual([{ mtime }]);
    expect(await asked({ valid: SET.atime | givenMtime, atime, mtime })).toEqual([{ atime: now }]);
    expect(await asked({ valid: SET.mtime | givenAtime, atime, mtime })).toEqual([{ mtime: now }]);
    expect(await asked({ valid: SET.atime | SET.mtime | givenAtime | givenMtime, atime, mtime })).toEqual([{ atime, mtime }]);
  });

  it('of permissions leaves all other bits of the mode alone', async () => {
    expect(await asked({ valid: SET.mode, mode: 0o100600 })).toEqual([{ mode: DMAPPEND | 0o600 }]);
  });

  it('that changes nothing is not asked for', async () => {
    expect(await asked({ valid: 0 })).toEqual([]);
    expect(await asked({ valid: SET.ctime })).toEqual([]);
    expect(await asked({ valid: SET.mode, mode: 0o100664 })).toEqual([]);
  });

  const changes: readonly (readonly [string, (request: Request) => Fcall | Promise<Fcall>])[] = [
    ['Tsetattr', (request) => setattr(session, setattrOf({ valid: SET.size }), request)],
    ['Trename', (request) => rename(session, { type: 'Trename', tag: 1, fid: FILE, dfid: DIRECTORY, name: 'new' }, request)],
    [
      'Trenameat',
      (request) => renameat(session, { type: 'Trenameat', tag: 1, fromFid: DIRECTORY, from: 'name', toFid: DIRECTORY, to: 'new' }, request),
    ],
    ['Tunlinkat', (request) => unlinkat(session, { type: 'Tunlinkat', tag: 1, dfid: DIRECTORY, name: 'name', flags: 0 }, request)],
  ];

  it.each(changes)('by %s is aborted with its request', async (_type, change) => {
    file.isSlow = true;
    const request = new Request(1, 0);
    const changing = change(request);
    while (file.asked.length === 0) await new Promise(setImmediate);
    request.abort();
    await expect(changing).rejects.toMatchObject({ posix: 'EINTR' });
  });

  it.each(changes.slice(0, 2))('by %s is over before a later clunk of its fid', async (_type, change) => {
    file.isSlow = true;
    const ends: string[] = [];
    const changing = Promise.resolve(change(new Request(1, 0))).then(() => ends.push('change'));
    const closing = session.fids
      .take(FILE)
      .close('clunk')
      .then(() => ends.push('clunk'));
    while (file.asked.length === 0) await new Promise(setImmediate);
    file.release();
    await Promise.all([changing, closing]);
    expect(ends).toEqual(['change', 'clunk']);
  });

  it('does not wait for a directory that is being listed', async () => {
    directory.isSlow = true;
    const reading = readdir(session, { type: 'Treaddir', tag: 1, fid: DIRECTORY, offset: 0, count: 100 }, new Request(1, 0));
    await setattr(session, { ...setattrOf({ valid: 0 }), fid: DIRECTORY }, new Request(2, 0));
    await new Promise(setImmediate);
    directory.release();
    expect(await reading).toMatchObject({ type: 'Rreaddir' });
  });
});
