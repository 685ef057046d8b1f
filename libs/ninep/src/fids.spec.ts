import { Fid, FidTable } from './fids.js';
import { NOFID } from './fcall.js';
import { Request } from './requests.js';

describe('a fid that is let go of', () => {
  const said: string[] = [];
  let fid: Fid;

  beforeEach(() => {
    said.length = 0;
    fid = new Fid();
    const refuse = () => {
      throw new Error('nobody asks');
    };
    const node = { remove: () => void said.push('remove') } as never;
    const file = { read: refuse, write: refuse, close: (reason: string) => void said.push(reason) };
    fid.state = { kind: 'open', node, mode: 0x40, file, listing: undefined };
    fid.whenReleased(() => said.push('released'));
  });

  it('ends its reads first, and waits until they are answered', async () => {
    const reads = [new Request(1, 0), new Request(2, 0)];
    for (const read of reads) fid.addReader(read);
    const closed = fid.close('clunk');
    expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    reads[0]?.done();
    await new Promise(setImmediate);
    expect(said).toEqual([]);
    reads[1]?.done();
    await closed;
    expect(said).toEqual(['released', 'clunk', 'remove']);
  });

  it('forgets the reads that are over', async () => {
    const read = new Request(1, 0);
    fid.addReader(read);
    read.done();
    await new Promise(setImmediate);
    await fid.endReads();
    expect(read.signal.aborted).toBe(false);
  });

  it('stands for nothing any more, and is closed once', async () => {
    await fid.close('hangup');
    await fid.close('clunk');
    expect(said).toEqual(['released', 'hangup', 'remove']);
    expect(() => fid.node).toThrow('unknown fid');
  });
});

describe('the fids of a session', () => {
  it('are as many as there may be, each by its own number', () => {
    const fids = new FidTable(2);
    expect(() => fids.add(NOFID)).toThrow('fid in use');
    const first = fids.add(1);
    expect(() => fids.add(1)).toThrow('fid in use');
    fids.add(2);
    expect(() => fids.add(3)).toThrow('too many fids');
    expect(fids.take(1)).toBe(first);
    const second = fids.add(1);
    fids.drop(1, first); // that was freed before
    expect(fids.get(1)).toBe(second);
    fids.drop(1, second);
    expect(() => fids.get(1)).toThrow('unknown fid');
  });
});
