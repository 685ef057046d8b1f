import fc from 'fast-check';
import { RequestError, textResult, TransientError, type ToolResult } from '#model';
import { AgentBench, checkPairing, fakeCall, type FakeAnswer } from '#testkit';

type CallKind = 'works' | 'fails' | 'reads' | 'unknown' | 'unparsable' | 'loses' | 'bug';

const ids = fc.constantFrom('a', 'b', 'c', '');
const kinds = fc.constantFrom<CallKind>('works', 'works', 'reads', 'reads', 'fails', 'unknown', 'unparsable', 'loses', 'bug');
const call = fc.tuple(ids, kinds).map(([id, kind]) => {
  const made = fakeCall(id, kind, {});
  return kind === 'unparsable' ? { ...made, rawArguments: '{', argumentsError: 'cut' } : made;
});
const answer = fc.record<FakeAnswer>(
  {
    text: fc.oneof(fc.constantFrom('', ' ', 'text'), fc.array(fc.constantFrom('a', ' ', '\n'))),
    calls: fc.array(call, { maxLength: 5 }),
    stop: fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter'),
    fails: fc.constantFrom(new TransientError('t', { backend: 'fake' }), new RequestError('r', { backend: 'fake' }), new Error('bug')),
    breaks: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** After how many microtasks a prompt is followed by a stop; none = it runs to its end. */
const interruption = fc.option(fc.nat(60), { nil: undefined });

function benchOf(answers: readonly FakeAnswer[], maxSteps: number): AgentBench {
  const lose = (): Promise<ToolResult> => {
    queueMicrotask(() => bench.host.servers.get(bench.agent.id)?.lose());
    return new Promise(() => undefined);
  };
  const slow = async () => {
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
    return textResult('x');
  };
  const bench: AgentBench = new AgentBench({
    answers,
    profile: { maxSteps },
    tools: {
      works: { run: slow },
      reads: { info: { parallel: 'read' }, run: slow },
      fails: { run: () => textResult('', true) },
      unparsable: {},
      loses: { info: { parallel: 'read' }, run: lose },
      bug: { info: { parallel: 'read' }, run: () => Promise.reject(new Error('bug')) },
    },
  });
  return bench;
}

describe('the pairing of calls and results', () => {
  it('holds in every request, whatever fails, breaks off or is interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { maxLength: 8 }),
        fc.array(interruption, { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        async (answers, interruptions, maxSteps) => {
          const bench = benchOf(answers, maxSteps);
          for (const after of [...interruptions, undefined]) {
            bench.agent.submit('go');
            for (let turns = after ?? 0; turns > 0; turns -= 1) await Promise.resolve();
            if (after !== undefined) await bench.agent.stop();
            await bench.idle();
          }
          await bench.agent.kill();
          expect(bench.backend.requests.flatMap(({ messages }) => checkPairing(messages))).toEqual([]);
          expect(bench.backend.requests.length).toBeGreaterThan(0);
          expect(bench.backend.active + (bench.host.servers.get(bench.agent.id)?.active ?? 0)).toBe(0);
          expectPairedBlocks(bench);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** In the transcript, too, each call that shows is followed by its result. */
function expectPairedBlocks(bench: AgentBench): void {
  const blocks = bench.blocks();
  const count = (role: string) => blocks.filter((block) => block.role === role).length;
  expect(count('tool')).toBe(count('call'));
}
