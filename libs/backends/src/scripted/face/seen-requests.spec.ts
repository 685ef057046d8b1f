import type { SeenRequest } from './seen-request.js';
import { SeenRequests } from './seen-requests.js';

const MIB = 1024 * 1024;

describe('the requests that a scripted server has seen', () => {
  const request = (path: string, length = 0): SeenRequest => ({ method: 'POST', path, headers: {}, body: 'a'.repeat(length) });

  it('are the last thousand', () => {
    const seen = new SeenRequests();
    for (let i = 0; i < 1001; i += 1) seen.add(request(`/${i}`));
    expect([seen.all.length, seen.all[0]?.path]).toEqual([1000, '/1']);
  });

  it('are fewer when they are large, but the newest is there', () => {
    const seen = new SeenRequests();
    for (const path of ['a', 'b', 'c']) seen.add(request(path, 30 * MIB));
    expect(seen.all.map(({ path }) => path)).toEqual(['b', 'c']);
    seen.add(request('d', 65 * MIB));
    expect(seen.all.map(({ path }) => path)).toEqual(['d']);
  });
});
