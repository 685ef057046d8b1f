import { ByteLog } from '#virtfs';
import { transcriptEnd } from './transcript-end.js';

const endOf = (text: string) => {
  const log = new ByteLog();
  log.append(text);
  return transcriptEnd(log);
};

describe('how a transcript ends', () => {
  it.each([
    ['', 0, undefined, false, true, undefined],
    ['[[[user id=7 ts=1]]]\nhi\n[[[/user]]]\n', 7, 'user', false, true, undefined],
    ['[[[user id=7]]]\nhi\n[[[/user nonl=1]]]\n[[[assistant id=8 resp="a b"]]]\n', 8, 'assistant', true, true, undefined],
    ['[[[assistant id=8]]]\nhalf a', 8, 'assistant', true, false, undefined],
    ['[[[assistant id=8]]]\nwhole\n', 8, 'assistant', true, true, undefined],
    [`[[[tool id=9 name=x]]]\n${'long\n'.repeat(20_000)}`, 9, 'tool', true, true, undefined],
    [`[[[tool id=9 name=x]]]\n${'l'.repeat(100_000)}`, 9, 'tool', true, false, undefined],
    ['[[[tool id=9]]]\n\\[[[user id=3]]]\n[[[/tool]]]\n', 9, 'tool', false, true, undefined],
    ['[[[user id=7]]]\nhi\n[[[/us', 7, 'user', true, true, 19],
    ['[[[user id=7]]]\nhi\n[[[/user]]]\n[[', 7, 'user', false, true, 31],
  ])('is seen (%#)', (text, blocks, lastRole, isOpen, isAtLineStart, torn) => {
    expect(endOf(text)).toEqual({ blocks, lastRole, isOpen, isAtLineStart, torn, contentAt: expect.any(Number) });
  });

  it('says where the content of the last block begins', () => {
    const head = '[[[user id=7]]]\nhi\n[[[/user]]]\n[[[tool id=8]]]\n';
    expect(endOf(`${head}a\nb`).contentAt).toBe(head.length);
    expect(endOf(`${head}a\nb\n[[[/tool]]]\n`).contentAt).toBe(head.length);
  });
});
