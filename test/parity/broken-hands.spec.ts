import { PartnerError } from '#model';
import type { Client } from '#ninep';
import { fakeCall } from '#testkit';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';
import { until } from '../support/until.js';

const WORDS = 'i/o error: toolsrv: ended with exit code 1';

/** A tool server that does not come up. */
describe('hands that cannot be started', () => {
  let served: ServedOlliesrv;
  let client: Client;

  beforeEach(async () => {
    ({ served, client } = await ServedOlliesrv.withAgents([{ calls: [fakeCall('c1', 'shell', { cmd: 'ls' })] }]));
    for (const host of served.hands.hosts.values()) host.broken = new PartnerError('toolsrv: ended with exit code 1');
  });
  afterEach(() => served.close());

  it('fail what needs them with the words of the contract, and nothing else', async () => {
    expect(await answerOf(client, 'session/s/agent/new', 'name=third\n')).toMatch(/^\d{19}-/);
    await expect(answerOf(client, 'session/s/agent/new', 'prompt=x\n')).rejects.toThrow(/^i\/o error: .*toolsrv: ended with exit code 1$/);
    await expect(answerOf(client, 'session/s/agent/coding/ctl', 'tools\n')).rejects.toThrow(WORDS);
    await expect(answerOf(client, 'session/s/agent/coding/ctl', 'tool_load shell\n')).rejects.toThrow(WORDS);
    await client.writeAll('session/s/agent/coding/prompt', 'x\n');
    await until('the turn is over', async () => (await textOf(client, 'session/s/agent/coding/log')).includes('error: '));
    expect(await textOf(client, 'session/s/agent/coding/log')).toContain(WORDS);
    expect((await client.list('session/s/agent')).map(({ name }) => name)).toEqual(['new', 'idx', 'coding', 'review', 'third']);
  });
});
