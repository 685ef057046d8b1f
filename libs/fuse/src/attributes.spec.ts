import { constants } from 'node:fs';
import { DMDIR, type ServedNode, type Stat, type StatChange } from '#ninep';
import { FakeKernel, words } from '#testkit';
import { attrOut, setattrField, statfsOut } from './protocol.js';

const MORE_BITS = 0x40007e00;
const { S_IFDIR, S_IFREG, R_OK, W_OK, X_OK } = constants;

/** A root that is what the test says, and keeps what it is asked to become. */
class Root implements ServedNode {
  readonly asked: StatChange[] = [];
  told: Partial<Stat> = {};

  get qid() {
    return this.stat().qid;
  }

  stat(): Stat {
    const qid = { type: 0, version: 0, path: 5 };
    return { qid, mode: 0o664, atime: 11, mtime: 22, length: 513, name: '/', uid: '', gid: '', muid: '', ...this.told };
  }

  wstat(change: StatChange): void {
    this.asked.push(change);
  }

  walk = () => this;
  list = () => [];
  open = () => ({ read: () => Buffer.alloc(0), write: () => undefined, close: () => undefined });
  remove = () => undefined;
}

describe('attributes', () => {
  let root: Root;
  let kernel: FakeKernel;

  beforeEach(async () => {
    root = new Root();
    kernel = await start();
  });

  const start = () => FakeKernel.start({ attach: () => ({ root }) });
  const attributes = async () => attrOut.decode((await kernel.ask(3, 1)).body);

  it('are those of the file, and belong to whoever mounts', async () => {
    root.told = { mode: MORE_BITS | 0o664 };
    const [uid, gid] = [1, 2];
    expect(await attributes()).toMatchObject({ attrValid: 0, attrValidNsec: 0, ino: 5, size: 513, blocks: 2, uid, gid });
    expect(await attributes()).toMatchObject({ atime: 11, mtime: 22, ctime: 22, mode: S_IFREG | 0o664, nlink: 1 });
  });

  it('of a directory have no length, and of the file 0 a number that is none of a deleted file', async () => {
    root.told = { mode: DMDIR | 0o755, qid: { type: 128, version: 0, path: 0 } };
    kernel = await start();
    const { ino, size, blocks, mode } = await attributes();
    expect({ ino, size, blocks, mode }).toEqual({ ino: Number.MAX_SAFE_INTEGER, size: 0, blocks: 0, mode: S_IFDIR | 0o755 });
  });

  interface Asked {
    readonly valid: number;
    readonly size?: number;
    readonly atime?: number;
    readonly mtime?: number;
    readonly mode?: number;
    readonly uid?: number;
    readonly gid?: number;
  }

  async function setattr({ valid, size = 0, atime = 0, mtime = 0, mode = 0, uid = 0, gid = 0 }: Asked) {
    const body = words(valid, 0, 0, 0, size, 0, 0, 0, atime, 0, mtime, 0, 0, 0, 0, 0, 0, mode, 0, uid, gid, 0);
    const { errno } = await kernel.ask(4, 1, body);
    return { errno, asked: root.asked.splice(0) };
  }
  const changes = async (asked: Asked) => {
    const answer = await setattr(asked);
    expect(answer.errno).toBeUndefined();
    return answer.asked;
  };

  it('change as they are asked to, times to now or as they are given', async () => {
    const now = expect.closeTo(Date.now() / 1000, -1) as number;
    const { size, atime, mtime, atimeNow, mtimeNow } = setattrField;
    expect(await changes({ valid: size, size: 7 })).toEqual([{ length: 7 }]);
    expect(await changes({ valid: atime | mtime, atime: 5, mtime: 6 })).toEqual([{ atime: 5, mtime: 6 }]);
    expect(await changes({ valid: atime | atimeNow | mtime, mtime: 6 })).toEqual([{ atime: now, mtime: 6 }]);
    expect(await changes({ valid: mtime | mtimeNow | atime, atime: 5 })).toEqual([{ atime: 5, mtime: now }]);
  });

  it('that are so already are not asked for', async () => {
    const { mode, uid, gid } = setattrField;
    expect(await changes({ valid: 0 })).toEqual([]);
    expect(await changes({ valid: mode | uid | gid, mode: S_IFREG | 0o664, uid: 1, gid: 2 })).toEqual([]);
    root.told = { mode: DMDIR | 0o755 };
    expect(await changes({ valid: setattrField.size, size: 7 })).toEqual([]);
  });

  it('keep the other bits of a mode', async () => {
    root.told = { mode: MORE_BITS | 0o664 };
    expect(await changes({ valid: setattrField.mode, mode: S_IFREG | 0o600 })).toEqual([{ mode: MORE_BITS | 0o600 }]);
  });

  it.each([
    { uid: 2, gid: 2 },
    { uid: 1, gid: 1 },
  ])('give nothing away to %j', async (owner) => {
    const { uid, gid, size } = setattrField;
    expect(await setattr({ valid: uid | gid | size, ...owner })).toEqual({ errno: 'EPERM', asked: [] });
  });

  it.each([
    [0o400, R_OK, undefined],
    [0o040, R_OK, undefined],
    [0o004, R_OK, undefined],
    [0o200, W_OK, undefined],
    [0o444, W_OK, 'EACCES'],
    [0o444, R_OK | W_OK, 'EACCES'],
    [0o666, X_OK, 'EACCES'],
    [0o222, R_OK, 'EACCES'],
    [0o246, R_OK | W_OK, undefined],
    [0o000, 0, undefined],
  ])('of mode 0%o answer access(%i) with %s', async (mode, mask, errno) => {
    root.told = { mode };
    kernel = await start();
    expect(await kernel.ask(34, 1, words(mask, 0))).toMatchObject({ errno });
  });

  it('of the whole are those of a file system without space', async () => {
    const { body } = await kernel.ask(17, 1);
    expect(statfsOut.decode(body)).toMatchObject({ blocks: 0, bsize: 4096, frsize: 4096, namelen: 255 });
  });
});
