import { Ollie } from './ollie.js';

jest.setTimeout(60_000);

const REFUSED = 'permission denied: sandboxed caller';

/** A process that can gain no privileges, as everything in a sandbox. */
const MARKED = 'setpriv --no-new-privs';

describe('a caller that runs in a sandbox', () => {
  describe('and has got to the socket of the user', () => {
    const ollie = new Ollie();
    beforeAll(() => ollie.start());
    afterAll(() => ollie.destroy());

    it.each([
      ['write', 'echo name=x | MARKED ollie-9p write session/new'],
      ['ask', 'echo name=x | MARKED ollie-9p rdwr session/new'],
      ['command', 'echo kill | MARKED ollie-9p rdwr ctl'],
      ['rename', 'MARKED ollie-9p mv session/s y'],
      ['remove', 'MARKED ollie-9p rm session/s'],
    ])('may not %s', async (_what, words) => {
      await ollie.sh('ollie-9p ls session/s || echo name=s | ollie-9p write session/new');
      const { code, stderr } = await ollie.sh(words.replace('MARKED', MARKED));
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(REFUSED)]);
      expect(code).not.toBe(0);
      expect((await ollie.sh('ollie-9p ls session')).stdout).toBe('idx\nnew\ns\n');
    });

    it('may read', async () => {
      expect(await ollie.sh(`${MARKED} ollie-9p read backends`)).toEqual({ code: 0, stdout: 'scripted\n', stderr: '' });
      expect((await ollie.sh(`${MARKED} ollie-9p ls session`)).stdout).toContain('idx\n');
    });

    it('hinders nobody else', async () => {
      expect((await ollie.sh('echo name=free | ollie-9p rdwr session/new; ollie-9p rm session/free')).stdout).toBe('free\n');
    });
  });

  it('may do all when its program is allowed, or everybody is', async () => {
    for (const allowed of [process.execPath, 'all']) {
      const ollie = new Ollie();
      await ollie.start({ args: ['--allow-sandboxed', allowed] });
      expect((await ollie.sh(`echo name=x | ${MARKED} ollie-9p rdwr session/new`)).stdout).toBe('x\n');
      await ollie.destroy();
    }
  });

  it('is not told from others by a server that carries the mark itself', async () => {
    const ollie = new Ollie();
    const { stdout } = await ollie.sh(
      `${MARKED} olliesrv start >/dev/null; echo name=x | ${MARKED} ollie-9p rdwr session/new; olliesrv stop`,
    );
    expect(stdout).toContain('x\n');
    await ollie.destroy();
  });
});
