import { setTimeout as sleep } from 'node:timers/promises';
import { fakeCall, type FakeAnswer } from '#testkit';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

const AGENT = 'session/s/agent/coding';
const PROMPTS = 50;
const ROUNDS: readonly FakeAnswer[] = [{ calls: [fakeCall('c', 'shell', { cmd: 'ls' })] }, { text: ['a', 'b', 'c'] }];

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

describe('over a connection, at random instants, while others stop the agent', () => {
  it.each([1, 2, 3])('prompts and words put in are each heard once, prompts in order (seed %i)', async (seed) => {
    const random = randomFrom(seed);
    const served = await ServedOlliesrv.start(Array.from({ length: 120 }, () => ROUNDS).flat());
    const [writer, other] = [await served.dial(), await served.dial()];
    await writer.writeAll('session/new', 'name=s\n');
    await writer.writeAll('session/s/agent/new', 'name=coding\n');
    const beside: Promise<string>[] = [];
    let injected = 0;
    for (let number = 1; number <= PROMPTS; number += 1) {
      await writer.writeAll(`${AGENT}/prompt`, `prompt ${number};`);
      await sleep(random() * 4);
      if (random() < 0.3) beside.push(answerOf(other, `${AGENT}/ctl`, 'stop\n'));
      if (random() < 0.3) beside.push(answerOf(other, `${AGENT}/ctl`, `inject word ${(injected += 1)};\n`));
    }
    for (const answer of await Promise.all(beside)) expect(['ok\n', 'idle\n', 'queued\n']).toContain(answer);
    await writer.writeAll(`${AGENT}/prompt`, 'the last');
    await textOf(writer, `${AGENT}/chat`);
    const numbers = (await writer.list(`${AGENT}/ctx`)).map(({ name }) => name).filter((name) => name !== 'idx');
    const heard = (await Promise.all(numbers.map((name) => textOf(writer, `${AGENT}/ctx/${name}`)))).join('\n');
    const prompts = Array.from({ length: PROMPTS }, (_, index) => `prompt ${index + 1};`);
    expect(heard.match(/prompt \d+;|the last/g)).toEqual([...prompts, 'the last']);
    expect(heard.match(/word \d+;/g)?.length ?? 0).toBe(injected);
    expect(await textOf(writer, `${AGENT}/stats`)).toContain('queued=0\n');
    await served.close();
  });
});
