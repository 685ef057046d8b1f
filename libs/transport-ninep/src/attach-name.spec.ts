import { parseAttachName } from './attach-name.js';

describe('an attach name', () => {
  it('may be empty', () => {
    expect(parseAttachName('', false)).toEqual({ aname: '' });
    expect(parseAttachName('', true)).toEqual({ aname: '' });
  });

  it('carries a client tag, whose first part is the session leader', () => {
    expect(parseAttachName('client=5.10.100', false)).toEqual({ aname: 'client=5.10.100', tag: '5.10.100', leader: '5' });
    for (const tag of ['my-mount', 'a.b', 'a.b.c.d', '.b.c']) {
      expect(parseAttachName(`client=${tag}`, false)).toEqual({ aname: `client=${tag}`, tag });
    }
  });

  it('carries how long a blocked read lasts', () => {
    const waits = ['wait=250ms', 'wait=30s', 'client=x&wait=2m', 'wait=1h'].map((name) => parseAttachName(name, false).waitMs);
    expect(waits).toEqual([250, 30_000, 120_000, 3_600_000]);
    expect(parseAttachName('wait=999999999h', false).waitMs).toBe(2 ** 31 - 1);
  });

  it('carries a key of any characters but one, and is told without it', () => {
    expect(parseAttachName('key= a=b\nc &client=x', false)).toEqual({ aname: 'client=x', key: ' a=b\nc ', tag: 'x' });
  });

  it('may begin with a name that is taken as it is', () => {
    expect(parseAttachName('1764498300123456789-a1b2c3&client=1.2.3&wait=1s', true)).toEqual({
      aname: '1764498300123456789-a1b2c3',
      tag: '1.2.3',
      leader: '1',
      waitMs: 1000,
    });
    expect(parseAttachName('odd=name', true).aname).toBe('odd=name');
    expect(parseAttachName('client=1.2.3', true)).toEqual({ aname: '', tag: '1.2.3', leader: '1' });
  });

  it('is refused with what is wrong in it', () => {
    for (const part of ['bogus', 'bogus=1', 'client=', 'client=a b', `client=${'x'.repeat(129)}`, 'wait=30', 'wait=-1s', 'wait=soon']) {
      expect(() => parseAttachName(`client=ok&${part}`, false)).toThrow(`illegal argument: ${part}`);
    }
  });
});
