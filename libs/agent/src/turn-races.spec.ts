import { setTimeout as sleep } from 'node:timers/promises';
import { textResult } from '#model';
import { AgentBench, fakeCall, textsOf, type FakeAnswer } from '#testkit';

const RUNS = 50;

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Up to so many turns of the event loop, of microtasks or of timers. */
async function pause(random: () => number): Promise<void> {
  const steps = Math.floor(random() * 60);
  if (random() < 0.3) return sleep(random() * 6);
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
}

const slow = { run: async () => sleep(1).then(() => textResult('ran\n')) };

/** A turn of two tool rounds and an answer. */
const ROUNDS: readonly FakeAnswer[] = [
  { text: ['a', 'b'], calls: [fakeCall('c1', 'slow'), fakeCall('c2', 'slow')] },
  { calls: [fakeCall('c3', 'slow')] },
  { text: ['done', '.'] },
];

/** All that the model was told, once for each message. */
function told(bench: AgentBench): readonly string[] {
  return textsOf(bench.agent.context.entries().map(([, message]) => message));
}

function timesTold(bench: AgentBench, text: string): number {
  return told(bench).join('\n').split(text).length - 1;
}

describe('what is put in at any moment of a turn', () => {
  it.each(Array.from({ length: RUNS }, (_, seed) => seed))('is heard exactly once (seed %i)', async (seed) => {
    const random = randomFrom(seed + 1);
    const bench = new AgentBench({ answers: [...ROUNDS, ...ROUNDS], tools: { slow } });
    bench.agent.submit('begin');
    await pause(random);
    const where = bench.agent.inject('PUT-IN-ONE');
    await pause(random);
    bench.agent.inject('PUT-IN-TWO');
    await bench.idle();
    expect([timesTold(bench, 'PUT-IN-ONE'), timesTold(bench, 'PUT-IN-TWO')]).toEqual([1, 1]);
    expect(['ok', 'idle']).toContain(where);
    expect(bench.stat('queued')).toBe('0');
  });

  it.each(Array.from({ length: RUNS }, (_, seed) => seed))('is lost to no stop (seed %i)', async (seed) => {
    const random = randomFrom(seed + 1000);
    const bench = new AgentBench({ answers: [...ROUNDS, ...ROUNDS, ...ROUNDS], tools: { slow } });
    bench.agent.submit('begin');
    await pause(random);
    bench.agent.inject('PUT-IN-ONE');
    await pause(random);
    await bench.agent.stop();
    bench.agent.submit('go on');
    await bench.idle();
    expect(timesTold(bench, 'PUT-IN-ONE')).toBe(1);
    expect(timesTold(bench, 'go on')).toBe(1);
  });

  it('goes with the next tool result, marked as the words of the user', async () => {
    const bench = new AgentBench({
      answers: [{ calls: [fakeCall('c1', 'inject')] }, { text: 'left it is' }],
      tools: { inject: { run: () => (bench.agent.inject('go left\nnow'), textResult('ran')) } },
    });
    await bench.prompt('begin');
    expect(textsOf(bench.backend.requests[1]?.messages).at(-1)).toBe(
      'ran\n<system-user-interruption>\ngo left\nnow\n</system-user-interruption>',
    );
    expect(bench.lines).toEqual(['user: begin', '-> inject({})', '<- inject 1 lines', 'user: go left', 'now', 'left it is']);
    expect(bench.blocks().find(({ attributes }) => attributes.source === 'inject')?.content).toBe('go left\nnow');
  });

  it('does not go with the results of a turn that is stopped: it waits, before all others, for the next prompt', async () => {
    const bench = new AgentBench({
      answers: [{ calls: [fakeCall('c1', 'hang')] }],
      tools: { hang: { run: () => new Promise(() => undefined) } },
    });
    bench.agent.submit('begin');
    bench.agent.submit('second');
    while (bench.cfg('action') !== 'calling: hang') await sleep(1);
    expect(bench.agent.inject('put in')).toBe('ok');
    await bench.agent.stop();
    expect(told(bench).join('\n')).not.toContain('put in');
    expect(bench.agent.queue.lines()).toBe('1\tuser\tput in\n2\tuser\tsecond\n');
  });

  it('is the next prompt when no tool result comes, before what waits', async () => {
    const bench = new AgentBench({ answers: [() => (bench.agent.submit('second'), bench.agent.inject('put in'), { text: 'one' })] });
    await bench.prompt('first');
    expect(bench.lines).toEqual(['user: first', 'one', 'user: put in', 'done', 'user: second', 'done']);
  });

  it('keeps `queued` for the end of the queue, and what is rewritten is heard in its last form alone', async () => {
    const answers: string[] = [];
    const bench = new AgentBench({
      answers: [
        () => {
          answers.push(bench.agent.inject('one'), bench.agent.inject('two'), bench.agent.rewrite('three'));
          return { text: 'first' };
        },
      ],
    });
    await bench.prompt('begin');
    expect(answers).toEqual(['ok', 'queued', 'ok']);
    expect(bench.lines).toEqual(['user: begin', 'first', 'user: three', 'done', 'user: two', 'done']);
  });
});

describe('prompts at any moments, stops among them', () => {
  it.each(Array.from({ length: 10 }, (_, seed) => seed))('are each delivered once and in order (seed %i)', async (seed) => {
    const random = randomFrom(seed + 77);
    const bench = new AgentBench({ tools: { slow }, answers: Array.from({ length: 200 }, () => ROUNDS[2] ?? {}) });
    const stops: Promise<unknown>[] = [];
    for (let number = 1; number <= RUNS; number += 1) {
      bench.agent.submit(`prompt ${number};`);
      await pause(random);
      if (random() < 0.3) stops.push(bench.agent.stop());
    }
    await Promise.all(stops);
    bench.agent.submit('the last');
    await bench.idle();
    const expected = [...Array.from({ length: RUNS }, (_, index) => `prompt ${index + 1};`), 'the last'];
    const heard = told(bench)
      .join('\n')
      .match(/prompt \d+;|the last/g);
    expect(heard).toEqual(expected);
  });
});
