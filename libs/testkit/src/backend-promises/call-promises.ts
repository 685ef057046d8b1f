import { userText } from '#model';
import { assistant, result } from './messages.js';
import type { Probe } from './probe.js';

/** A case that the wire of a provider has no form for. */
export type Unsayable = 'arguments that are not JSON';

/** What becomes of the calls of an answer. */
export function callPromises(probe: Probe, unsayable: readonly Unsayable[]): void {
  it('a tool call goes out whole and its result comes back', async () => {
    const { calls, stop } = await probe.reply(userText('call'));
    expect(stop).toBe('tool_calls');
    expect(calls).toMatchObject([{ name: 'shell', arguments: { cmd: 'echo "ä\\n"' } }]);
    const answered = await probe.reply(userText('call'), assistant('', calls), ...calls.map((call) => result(call, 'forty-two')));
    expect(answered.text).toBe('[scripted] it said forty-two');
  });

  it('several calls keep their order and have ids of their own', async () => {
    const { calls } = await probe.reply(userText('three'));
    expect(calls.map(({ arguments: given }) => given)).toEqual([{ n: 1 }, { n: 2 }, {}]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  it('arguments that are not JSON are marked, with their text, or make the answer one to be asked for again', async () => {
    if (unsayable.includes('arguments that are not JSON')) {
      expect((await probe.failing('broken')).retryable).toBe(true);
      return;
    }
    const { calls } = await probe.reply(userText('broken'));
    expect(calls).toMatchObject([{ name: 'shell', rawArguments: '{"cmd": ls', arguments: {} }]);
    expect(calls[0]?.argumentsError).toEqual(expect.any(String));
  });

  it('a stop at the length limit gives no call', async () => {
    const { calls, stop } = await probe.reply(userText('length'));
    expect([calls, stop]).toEqual([[], 'length']);
  });
}
