import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KeptBench } from '#testkit';

const NEVER = new AbortController().signal;

describe('the feed of an agent that is kept', () => {
  it('has what it was fed last, which asks for no other turn', async () => {
    const kept = new KeptBench();
    const first = kept.fresh({ profile: { feed: 'prompt' } });
    const reader = { role: 'user', uname: 'u', aname: '', tag: 't' } as const;
    for (const value of ['old', 'one \xff'])  first.agent.feed.set(Buffer.from(value, 'latin1')); // prettier-ignore
    await first.idle();
    const second = kept.again({ profile: { feed: 'prompt' } });
    second.agent.wake();
    await second.idle();
    const asked = second.backend.requests.length;
    expect(Buffer.from(await second.agent.feed.next(reader, NEVER)).toString('latin1')).toBe('one \xff');
    second.agent.feed.set(Buffer.from('one \xff', 'latin1'));
    await second.idle();
    expect(second.backend.requests).toHaveLength(asked);
    second.agent.feed.set(Buffer.from('two'));
    expect(Buffer.from(await second.agent.feed.next(reader, NEVER)).toString()).toBe('two');
    await kept.remove();
  });

  it('keeps no agent from its end when it cannot be read', async () => {
    const kept = new KeptBench();
    kept.fresh().agent.feed.set(Buffer.from('one'));
    const file = join(kept.data, 'sessions/a.feed');
    rmSync(file);
    mkdirSync(file);
    const { agent } = kept.again();
    await expect(agent.feed.next({ role: 'user', uname: 'u', aname: '', tag: 't' }, NEVER)).rejects.toThrow(/^i\/o error: .*EISDIR/);
    await agent.kill();
    expect(agent.state.value).toBe('killed');
    expect(await agent.feed.next({ role: 'user', uname: 'u', aname: '', tag: 't' }, NEVER)).toHaveLength(0);
    await kept.remove();
  });
});
