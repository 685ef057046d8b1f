import { ninep2000 } from './dialect.js';
import { NinepError } from './errors.js';
import { defaultLimits } from './limits.js';
import { Locks } from './linux/locks.js';
import { Request } from './requests.js';
import { Session } from './session.js';
import { WriteAllowance } from './write-allowance.js';

describe('a session', () => {
  const bugs: unknown[] = [];
  const closings: string[] = [];
  let session: Session;

  beforeEach(() => {
    bugs.length = closings.length = 0;
    session = new Session(
      {
        files: {} as never, // nobody attaches
        limits: { ...defaultLimits, maxMessageBytes: 256 },
        connectionId: 1,
        allowance: new WriteAllowance(1000),
        onAttach: () => undefined,
        locks: new Locks(),
        onBug: (error) => bugs.push(error),
      },
      ninep2000,
      256,
    );
  });

  const openFid = (number: number, close: (reason: string) => unknown) =>
    session.makeFid(number, async (fid) => {
      fid.state = { kind: 'open', node: {} as never, mode: 0, file: { close } as never, listing: undefined };
    });

  it('keeps 16 messages of full size waiting, and no more', () => {
    for (let tag = 0; tag < 16; tag++) {
      expect(() => session.requests.admit(tag, false)).not.toThrow();
      session.requests.add(new Request(tag, 256));
    }
    expect(() => session.requests.admit(16, false)).toThrow('too many requests');
  });

  it('has no fid that could not be made', async () => {
    await expect(session.makeFid(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await session.makeFid(2, () => Promise.resolve());
    for (const number of [1, 2]) expect(() => session.fids.get(number)).toThrow('unknown fid');
    let go = (): void => undefined;
    const made = session.makeFid(3, async (fid) => {
      await new Promise<void>((resolve) => (go = resolve));
      fid.state = { kind: 'node', node: {} as never };
    });
    const used = session.fids.get(3).sequence.after(() => session.fids.get(3).state.kind);
    go();
    await made;
    expect(await used).toBe('node');
  });

  it('closes each file when it ends as soon as that has no request under way, whatever others still do', async () => {
    await openFid(1, () => new Promise(() => undefined));
    await openFid(2, (reason) => void closings.push(reason));
    void session.fids.take(1).close('clunk');
    session.requests.add(new Request(1, 0));
    void session.end();
    await new Promise(setImmediate);
    expect(closings).toEqual(['hangup']);
  });

  it('aborts all when it ends, then closes all, whatever goes wrong with that', async () => {
    await openFid(1, (reason) => void closings.push(reason));
    await openFid(2, () => {
      throw new TypeError('broken');
    });
    await openFid(3, () => {
      throw new NinepError('illegal value: x=y', 'EINVAL');
    });
    const request = new Request(1, 0);
    session.requests.add(request);
    const ended = session.end();
    expect([session.isOver, request.signal.aborted]).toEqual([true, true]);
    await new Promise(setImmediate);
    expect(await Promise.race([ended, Promise.resolve('under way')])).toBe('under way');
    session.requests.finish(request);
    await ended;
    expect(closings).toEqual(['hangup']);
    expect(bugs.map(String)).toEqual(['TypeError: broken']);
  });
});
