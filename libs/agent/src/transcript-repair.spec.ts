import { ByteLog } from '#virtfs';
import { closeRaw, followRaw } from './transcript-repair.js';

const nothing = () => undefined;
const USER = '[[[user id=1]]]\n';

function logOf(text: string | Uint8Array): ByteLog {
  const log = new ByteLog();
  log.append(text);
  return log;
}

const textOf = (log: ByteLog) => log.tail(log.length);

describe('closeRaw', () => {
  it.each(['', 'do ', 'do it', 'do it\n\\[[[', 'do it\n\\[[[now\n'])('shows a prompt whole (%j)', (shown) => {
    const raw = logOf(USER + shown);
    expect(closeRaw(raw, nothing, 'do it\n[[[now')).toBe(1);
    expect(textOf(raw)).toBe(`${USER}do it\n\\[[[now\n[[[/user nonl=1]]]\n`);
  });

  it('goes on in the middle of a character', () => {
    const bytes = Buffer.from(`${USER}né`);
    const raw = logOf(bytes.subarray(0, bytes.length - 1));
    closeRaw(raw, nothing, 'né');
    expect(textOf(raw)).toBe(`${USER}né\n[[[/user nonl=1]]]\n`);
  });

  it('ends a block of which it does not know what it was to say', () => {
    const raw = logOf(`${USER}other`);
    closeRaw(raw, nothing, 'do it');
    expect(textOf(raw)).toBe(`${USER}other\n[[[/user nonl=1]]]\n`);
  });
});

describe('followRaw', () => {
  const FIRST = `${USER}a\n[[[/user]]]\n`;
  const SECOND = '[[[assistant id=2]]]\nbé\n[[[/assistant]]]\n';
  const WHOLE = 'user: a\nbé\n';
  const start = { raw: FIRST.length, plain: 'user: a\n'.length };

  it.each([0, 8, 9, 10, 11])('completes a chat of %i bytes, and gives the newest blocks', (length) => {
    const plain = logOf(Buffer.from(WHOLE).subarray(0, length));
    const blocks = followRaw(logOf(FIRST + SECOND), plain, start);
    expect(textOf(plain)).toBe(WHOLE);
    expect(blocks.map(({ role }) => role)).toEqual(['assistant']);
  });

  it('leaves what chat says more, and ends its line', () => {
    const plain = logOf('user: a\nb\n[[');
    followRaw(logOf(`${FIRST}[[[assistant id=2]]]\nb\n[[[/assistant]]]\n`), plain, start);
    expect(textOf(plain)).toBe('user: a\nb\n[[\n');
  });

  it('passes over what is no block', () => {
    const plain = logOf('user: a\n');
    expect(followRaw(logOf(`${FIRST}\0\0\0\n[[[/user]]]\n[[[a b]]]\n${SECOND}`), plain, start)).toHaveLength(1);
    expect(textOf(plain)).toBe(WHOLE);
  });

  it('adds nothing where the end of chat.raw is gone', () => {
    const plain = logOf(WHOLE);
    expect(followRaw(logOf(FIRST), plain, { raw: 500, plain: 8 })).toEqual([]);
    expect(textOf(plain)).toBe(WHOLE);
  });
});
