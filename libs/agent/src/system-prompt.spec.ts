import { AgentBench, FakeClock } from '#testkit';
import { systemPrompt } from './system-prompt.js';

describe('systemPrompt', () => {
  it('ends with the environment and has a date without time', () => {
    const nowMs = new Date(2026, 2, 5, 23, 59).getTime();
    expect(systemPrompt('Be brief.\n', { cwd: '/p', platform: 'linux', nowMs })).toBe(
      'Be brief.\n\n<environment>\ncwd: /p\nplatform: linux\ndate: 2026-03-05\n</environment>',
    );
    expect(systemPrompt('', { cwd: '/p', platform: 'linux', nowMs })).toMatch(/^<environment>/);
  });

  it('stays the same for the life of an agent', async () => {
    const clock = FakeClock.stopped();
    const bench = new AgentBench({ clock });
    await bench.prompt('a');
    clock.advance(48 * 3_600_000);
    await bench.prompt('b');
    expect(bench.backend.requests[1]?.system).toBe(bench.backend.requests[0]?.system);
  });
});
