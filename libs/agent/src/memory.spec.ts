import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Backend, textResult, type ModelInfo, type ModelRequest, type StreamEvent } from '#model';
import { AgentBench, fakeCall } from '#testkit';

/** Calls a tool once a turn and then answers; keeps nothing. */
class BusyBackend extends Backend {
  readonly name = 'busy';
  readonly defaultModel = 'busy-1';

  async *stream({ messages }: ModelRequest): AsyncGenerator<StreamEvent> {
    const isAsked = messages.at(-1)?.role === 'user';
    for (let part = 0; part < 50; part += 1) yield { type: 'text', text: `part ${part} of an answer ` };
    if (isAsked) yield { type: 'toolCall', call: fakeCall(`c${messages.length}`, 'shell', { cmd: 'ls' }) };
    yield { type: 'usage', usage: { inputTokens: 1, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 1 } };
    yield { type: 'done', stop: isAsked ? 'tool_calls' : 'stop' };
  }

  async models(): Promise<readonly ModelInfo[]> {
    return [];
  }

  invalidate(): void {
    return undefined;
  }
}

function heapAfterGc(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

describe('the memory of an agent', () => {
  it('has grown by at most 10 MB from turn 100 to turn 500', async () => {
    const bench = new AgentBench({ backends: [new BusyBackend()], tools: { shell: { run: () => textResult('line\n'.repeat(200)) } } });
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1) await bench.prompt(`prompt ${turn}`);
      return heapAfterGc();
    };
    const early = await turns(100);
    const late = await turns(400);
    expect(bench.stat('turns')).toBe('500');
    expect((late - early) / 1024 / 1024).toBeLessThan(10);
  });
});
