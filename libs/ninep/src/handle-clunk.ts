import type { Fcall, FcallOf } from './fcall.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

export async function clunk(session: Session, { tag, fid }: FcallOf<'Tclunk'>): Promise<Fcall> {
  await session.fids.take(fid).close('clunk');
  return { type: 'Rclunk', tag };
}

/** The fid is gone, whether the file could be removed or not. */
export async function remove(session: Session, { tag, fid: number }: FcallOf<'Tremove'>, request: Request): Promise<Fcall> {
  const fid = session.fids.take(number);
  try {
    await fid.sequence.change(async () => {
      await fid.endReads();
      await fid.node.remove(request.signal);
    });
  } finally {
    await fid.close('clunk');
  }
  return { type: 'Rremove', tag };
}
