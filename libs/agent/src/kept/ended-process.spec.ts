import { type EndedProcess, lostProcess, withEnded } from './ended-process.js';

const MIB = 1024 * 1024;
const ended = (pid: number, bytes: number): EndedProcess => ({ pid, tool: 'shell', command: 'make', stat: '', output: bytes });
const numbers = (all: readonly EndedProcess[]) => all.map(({ pid }) => pid);
const after = (...ends: readonly EndedProcess[]) => ends.reduce(withEnded, []);

describe('processes that have ended', () => {
  it('are the newest 256', () => {
    const all = after(...Array.from({ length: 300 }, (_none, at) => ended(at + 1, 0)));
    expect([all.length, all[0]?.pid]).toEqual([256, 45]);
  });

  it('are the newest with at most 256 MiB of output', () => {
    const all = after(...Array.from({ length: 30 }, (_none, at) => ended(at + 1, 10 * MIB)));
    expect(numbers(all)).toEqual(Array.from({ length: 25 }, (_none, at) => at + 6));
    expect(numbers(after(ended(1, 1), ended(2, 256 * MIB)))).toEqual([2]);
    expect(numbers(after(ended(1, 1), ended(2, 256 * MIB), ended(3, 0)))).toEqual([2, 3]);
  });

  it('are each there once', () => {
    expect(numbers(after(ended(1, 1), ended(2, 1), ended(1, 5)))).toEqual([2, 1]);
  });

  it('whose end nobody saw say so, on one line', () => {
    expect(lostProcess({ pid: 3, tool: 'shell', command: 'a\nb' }, 'gone\n').stat).toContain('\ncmd=a\\nb\nexit=lost\n');
  });
});
