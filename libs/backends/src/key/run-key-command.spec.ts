import { setTimeout as pause } from 'node:timers/promises';
import { runKeyCommand, type KeyOutcome } from './run-key-command.js';

const never = new AbortController().signal;

function run(script: string, signal = never, patienceMs?: number): Promise<KeyOutcome> {
  return runKeyCommand({ argv: ['sh', '-c', script], cwd: '/', env: { PATH: process.env.PATH, TOLD: 'by-env' } }, signal, patienceMs);
}

describe('a key command', () => {
  it.each([
    ['printf sk-1', 'sk-1'],
    ['printf "sk-1\\nuser: me\\n"', 'sk-1'],
    ['printf "\\n  sk-1 \\r\\n"', 'sk-1'],
    ['echo $TOLD', 'by-env'],
    ['pwd', '/'],
  ])('%s tells its first line', async (script, key) => {
    expect(await run(script)).toEqual({ key });
  });

  it.each([
    ['true', 'it has put out nothing'],
    ['exit 3', 'it failed with 3'],
    ['echo "no such entry" >&2; exit 1', 'it failed with 1: no such entry'],
    ['echo sk-1; echo "cannot read sk-1 \u001b[31m" >&2; exit 1', 'it failed with 1: cannot read [key] '],
    ['kill -9 $$', 'it failed'],
    ['echo Warning; echo sk-1; echo "cannot read sk-1" >&2; exit 1', 'it failed with 1: cannot read [key]'],
  ])('%s fails', async (script, why) => {
    const outcome = await run(script);
    expect(outcome).toEqual({ why: expect.stringContaining(why) });
    expect(JSON.stringify(outcome)).not.toMatch(/sk-1|\\u001b/);
  });

  it('that cannot be started says why', async () => {
    const outcome = await runKeyCommand({ argv: ['/no/such/program'], cwd: '/', env: {} }, never);
    expect(outcome).toEqual({ why: expect.stringContaining('ENOENT') });
  });

  it.each([
    ['is below a file', '/etc/passwd/x', 'ENOTDIR'],
    ['has a name that is too long', 'x'.repeat(5_000), 'ENAMETOOLONG'],
    ['has no name', 'a\0sk-1', 'it cannot be started'],
  ])('that cannot be started because it %s says why', async (_what, program, why) => {
    const outcome = await runKeyCommand({ argv: [program], cwd: '/', env: { PATH: process.env.PATH } }, never);
    expect(outcome).toEqual({ why: expect.stringContaining(why) });
    expect(JSON.stringify(outcome)).not.toContain('sk-1');
  });

  it.each(['exec yes sk-1', 'exec yes sk-1 >&2'])('%s is ended soon', async (script) => {
    expect(await run(script, never, 4_000)).toEqual({ why: expect.stringMatching(/^it puts out too much/) });
  });

  it('is killed with what it has started when it takes too long or nobody waits', async () => {
    expect(await run('sleep 30 & sleep 30', never, 50)).toEqual({ why: 'it took longer than 0.05s' });
    const left = new AbortController();
    const outcome = run('sleep 30 & sleep 30', left.signal);
    await pause(20);
    left.abort();
    expect(await outcome).toEqual({ why: 'nobody waits for it any more' });
  });

  it('does not wait for what it leaves running', async () => {
    const started = performance.now();
    expect(await run('sleep 3 & echo sk-1')).toEqual({ key: 'sk-1' });
    expect(performance.now() - started).toBeLessThan(2_500);
  });

  it('keeps little of what it puts out', async () => {
    const outcome = await run('head -c 1000000 /dev/zero | tr "\\0" x');
    expect('key' in outcome && outcome.key.length).toBeLessThan(200_000);
  });
});
