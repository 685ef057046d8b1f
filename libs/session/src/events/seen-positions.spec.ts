import type { Client } from '#virtfs';
import { SeenPositions } from './seen-positions.js';

const client = (tag: string, leader?: string): Client => ({
  role: 'user',
  uname: 'u',
  aname: '',
  tag,
  ...(leader !== undefined && { leader }),
});
const at = (id: number) => ({ id, due: id });

describe('how far a client has read', () => {
  it('is what it was told last, and never less', () => {
    const seen = new SeenPositions();
    expect(seen.of(client('a'))).toBeUndefined();
    seen.set(client('a'), at(5));
    seen.set(client('a'), at(3));
    expect(seen.of(client('a'))).toEqual(at(5));
    expect(seen.of(client('b'))).toBeUndefined();
  });

  it('is at least the mark of its session leader, for every client of that', () => {
    const seen = new SeenPositions();
    seen.set(client('7.1', '7'), at(2));
    seen.mark(client('7.9', '7'), at(4));
    expect([seen.of(client('7.1', '7')), seen.of(client('7.2', '7')), seen.of(client('8.1', '8'))]).toEqual([at(4), at(4), undefined]);
    seen.set(client('7.1', '7'), at(6));
    expect(seen.of(client('7.1', '7'))).toEqual(at(6));
  });

  it('is the mark of a client without a leader only for itself', () => {
    const seen = new SeenPositions();
    seen.mark(client('a'), at(1));
    expect([seen.of(client('a')), seen.of(client('b'))]).toEqual([at(1), undefined]);
  });
});
