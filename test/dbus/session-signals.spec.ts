import type { Agent } from '#agent';
import { type SignalOut, SessionSignals } from '../../apps/olliesrv/src/dbus/session-signals.js';
import { ServedOlliesrv } from '../support/served-olliesrv.js';
import { until } from '../support/until.js';

class Told implements SignalOut {
  readonly backlogBytes = 0;
  readonly all: (readonly [member: string, ...values: unknown[]])[] = [];

  emit(member: string, values: readonly unknown[]): void {
    this.all.push([member, ...values]);
  }

  of(member: string): readonly (readonly unknown[])[] {
    return this.all.flatMap(([name, ...values]) => (name === member ? [values] : []));
  }
}

describe('what happens, as signals', () => {
  let ollie: ServedOlliesrv;
  let signals: SessionSignals;
  let told: Told;

  beforeEach(async () => {
    ollie = await ServedOlliesrv.start([{ text: 'first answer' }, { text: 'second answer' }]);
    tell();
  });
  afterEach(async () => {
    signals.close();
    await ollie.close();
  });

  function tell(): void {
    told = new Told();
    signals = new SessionSignals(told, ollie.services);
  }

  async function makeAgent(): Promise<Agent> {
    const { sessions } = ollie.services;
    const name = (await sessions.answer('')).trim();
    const session = sessions.find(name);
    await session?.agents.answer('name=main', new AbortController().signal);
    const agent = session?.agents.find('main');
    if (!agent) throw new Error('no agent');
    return agent;
  }

  async function turn(agent: Agent, prompt: string): Promise<void> {
    agent.submit(prompt);
    await until('the turn is over', () => agent.state.value === 'idle');
  }

  it('says all of a turn before it says that the turn is over', async () => {
    const agent = await makeAgent();
    await turn(agent, 'hello');
    const { sessionId: session, id } = agent.identity;
    const changes = told.of('StateChanged').map(([, , state, previous]) => `${String(previous)} ${String(state)}`);
    expect(changes.filter((change) => change !== 'running running')).toEqual(['idle running', 'running idle']);
    expect(told.all.at(-1)?.[0]).toBe('StateChanged');
    const chat = told.of('ChatUpdated').map(([, , , chunk]) => chunk);
    expect(chat.join('')).toBe(agent.transcript.plain.tail(10_000));
    expect(told.of('ChatUpdated')[0]?.slice(0, 3)).toEqual([session, id, 0n]);
  });

  it('does not tell again what was before', async () => {
    const agent = await makeAgent();
    await turn(agent, 'hello');
    signals.close();
    tell();
    const { length } = agent.transcript.plain;
    await turn(agent, 'again');
    expect(told.of('ChatUpdated')[0]?.[2]).toBe(BigInt(length));
    expect(told.of('SessionCreated')).toEqual([]);
  });

  it('tells nothing after the end', async () => {
    signals.close();
    await turn(await makeAgent(), 'hello');
    expect(told.all).toEqual([]);
  });
});
