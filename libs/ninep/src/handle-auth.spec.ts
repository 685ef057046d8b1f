import { ninep2000L } from './dialect.js';
import { NO_UID, NOFID } from './fcall.js';
import type { AttachingUser, AttachRequest } from './file-server.js';
import { attach, auth } from './handle-auth.js';
import { defaultLimits } from './limits.js';
import { Locks } from './linux/locks.js';
import { Request } from './requests.js';
import { Session } from './session.js';
import { WriteAllowance } from './write-allowance.js';

const allowance = new WriteAllowance(1000);

const node = { qid: { type: 128, version: 0, path: 0 } } as never;

describe('who attaches', () => {
  const asked: (AttachingUser | AttachRequest)[] = [];
  let session: Session;
  let attaches = 0;

  beforeEach(() => {
    asked.length = attaches = 0;
    const conversation = { done: true, write: () => undefined, read: () => Buffer.alloc(0) };
    const files = {
      authenticate: (user: AttachingUser) => (asked.push(user), conversation),
      attach: (request: AttachRequest) => (asked.push(request), node),
    };
    const onBug = (error: unknown) => {
      throw error;
    };
    session = new Session(
      { files, limits: defaultLimits, connectionId: 5, allowance, onAttach: () => attaches++, locks: new Locks(), onBug },
      ninep2000L,
      8192,
    );
  });

  const names = { tag: 1, uname: 'u', aname: 'a' };

  it('is a name, and a number where one is given', async () => {
    await auth(session, { ...names, type: 'Tauth', afid: 1, uid: 7 });
    await auth(session, { ...names, type: 'Tauth', afid: 2, uid: NO_UID });
    await attach(session, { ...names, type: 'Tattach', fid: 3, afid: NOFID, uid: 0 }, new Request(1, 0));
    await attach(session, { ...names, type: 'Tattach', fid: 4, afid: NOFID, uid: NO_UID }, new Request(1, 0));
    const user = { uname: 'u', aname: 'a' };
    const request = { ...user, connectionId: 5, allowance, auth: undefined };
    expect(asked).toStrictEqual([{ ...user, uid: 7 }, user, { ...request, uid: 0 }, request]);
    expect(attaches).toBe(2);
  });
});
