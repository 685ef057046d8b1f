import { AuthError, textResult, type ModelInfo } from '#model';
import { AgentBench, eventually, FakeBackend, fakeCall } from '#testkit';

const NEVER = new AbortController().signal;

class Telling extends FakeBackend {
  constructor(private readonly told: () => readonly ModelInfo[]) {
    super([], 'telling', 'big-1');
  }

  override async models(): Promise<readonly ModelInfo[]> {
    return this.told();
  }
}

/** Tells its models when it is told to, to all who have asked. */
class Asked extends FakeBackend {
  readonly asked: AbortSignal[] = [];
  tell: (models: readonly ModelInfo[]) => void = () => undefined;
  private readonly told = new Promise<readonly ModelInfo[]>((resolve) => (this.tell = resolve));

  constructor(name: string) {
    super([], name, 'big-1');
  }

  override models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    this.asked.push(signal);
    return this.told;
  }
}

const silent = () => {
  throw new AuthError('telling: no key', { backend: 'telling' });
};

describe('AgentConfiguration', () => {
  it('takes another model in the middle of a turn, from the next request and call on', async () => {
    const backend = new FakeBackend(
      [{ calls: [fakeCall('c1', 'switch')] }, { calls: [fakeCall('c2', 'look')] }, { text: 'done' }],
      'fake',
      null,
    );
    const bench = new AgentBench({
      backends: [backend],
      setup: { model: 'm1' },
      tools: {
        switch: {
          run: async () => {
            await bench.agent.configuration.apply(['model=m2', 'cwd=/elsewhere'], NEVER);
            return textResult('switched\n');
          },
        },
        look: {},
      },
    });
    await bench.prompt('begin');
    expect(backend.requests.map(({ model }) => model)).toEqual(['m1', 'm2', 'm2']);
    const calls = [...bench.host.servers.values()].flatMap((server) => server.calls);
    expect(calls.map(({ tool, cwd }) => [tool, cwd])).toEqual([
      ['switch', '/project'],
      ['look', '/elsewhere'],
    ]);
  });

  it('knows how much fits into the model before anybody has told, where the backend does', async () => {
    const backend = new Telling(() => [{ id: 'big-1', contextLength: 1000 }, { id: 'small-1' }]);
    backend.contextLength = (model) => (model === 'big-1' ? 999 : 10);
    const bench = new AgentBench({ backends: [backend] });
    expect(bench.stat('contextLength')).toBe('999');
    await bench.agent.configuration.apply(['model=small-1'], NEVER);
    expect(bench.stat('contextLength')).toBe('10');
  });

  it('goes by what the backend has learnt since it listed its models', async () => {
    const backend = new Telling(() => [{ id: 'big-1', contextLength: 1000 }]);
    const bench = new AgentBench({ backends: [backend] });
    await bench.agent.configuration.modelLines(NEVER);
    expect(bench.stat('contextLength')).toBe('1000');
    backend.contextLength = () => 999;
    expect(bench.stat('contextLength')).toBe('999');
  });

  it('is told how much fits into the model by a list of models', async () => {
    const bench = new AgentBench({ backends: [new Telling(() => [{ id: 'big-1', contextLength: 1000 }, { id: 'small-1' }])] });
    expect(bench.stat('contextLength')).toBeUndefined();
    expect(await bench.agent.configuration.modelLines(NEVER)).toBe('* big-1\n  small-1\n');
    expect(bench.stat('contextLength')).toBe('1000');
    expect(bench.stat('contextPercent')).toBe(String(Math.round(Number(bench.stat('contextTokens')) / 10)));
    expect(bench.stat('estimated')).toBe('true');
  });

  it('is told with its first turn, and again once another model is chosen', async () => {
    let asked = 0;
    const list = () => ((asked += 1), [{ id: 'big-1', contextLength: 1000 }, { id: 'small-1', contextLength: 10 }]); // prettier-ignore
    const bench = new AgentBench({ backends: [new Telling(list)] });
    for (const prompt of ['one', 'two']) await bench.prompt(prompt);
    await eventually(() => bench.stat('contextLength') === '1000');
    expect(asked).toBe(1);
    await bench.agent.configuration.apply(['model=small-1'], NEVER);
    await bench.prompt('three');
    expect(bench.stat('contextLength')).toBe('10');
  });

  it('is told by the backend that it has, however late another one answers', async () => {
    const slow = new Asked('slow');
    const quick = new Asked('quick');
    const bench = new AgentBench({ backends: [slow, quick] });
    await bench.prompt('one');
    await bench.agent.configuration.apply(['backend=quick'], NEVER);
    await bench.prompt('two');
    quick.tell([{ id: 'big-1', contextLength: 10 }]);
    await eventually(() => bench.stat('contextLength') === '10');
    slow.tell([{ id: 'big-1', contextLength: 1000 }]);
    await bench.prompt('three');
    expect(bench.stat('contextLength')).toBe('10');
    expect([slow.asked.length, quick.asked.length]).toEqual([1, 1]);
    await bench.agent.configuration.apply(['backend=slow'], NEVER);
    expect(bench.stat('contextLength')).toBe('1000');
  });

  it('waits for no models after its end', async () => {
    const backend = new Asked('silent');
    const bench = new AgentBench({ backends: [backend] });
    await bench.prompt('one');
    expect(backend.asked.map(({ aborted }) => aborted)).toEqual([false]);
    await bench.agent.kill();
    expect(backend.asked.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('goes on with a backend that fails to tell, and asks it again', async () => {
    let asked = 0;
    const backend = new Telling(() => {
      asked += 1;
      return asked === 1 ? silent() : [{ id: 'big-1', contextLength: 1000 }];
    });
    const bench = new AgentBench({ backends: [backend] });
    await bench.prompt('one');
    expect(bench.stat('contextLength')).toBeUndefined();
    await bench.prompt('two');
    await eventually(() => bench.stat('contextLength') === '1000');
  });

  it('lets a backend that does not tell its models have any, and says so where they are asked for', async () => {
    const bench = new AgentBench({ backends: [new Telling(silent)] });
    await bench.agent.configuration.apply(['model=whatever'], NEVER);
    expect(bench.cfg('model')).toBe('whatever');
    await expect(bench.agent.configuration.modelLines(NEVER)).rejects.toThrow(/^i\/o error: telling: no key$/);
  });

  it('changes nothing when one of the lines is refused late', async () => {
    const bench = new AgentBench({ backends: [new Telling(() => [{ id: 'big-1' }])] });
    const before = bench.agent.cfg();
    for (const lines of [
      ['maxSteps=3', 'model=other-1'],
      ['maxSteps=3', 'cwd=missing'],
      ['cwd=/there', 'name=bad name'],
    ])
      await expect(bench.agent.configuration.apply(lines, NEVER)).rejects.toThrow(/^(no such|illegal) /);
    expect(bench.agent.cfg()).toBe(before);
  });

  it('keeps the system message as it was made until the directory changes', async () => {
    const bench = new AgentBench();
    const first = bench.agent.systemPrompt;
    await bench.agent.configuration.apply(['cwd=src'], NEVER);
    expect(bench.agent.systemPrompt).toBe(first.replace('cwd: /project\n', 'cwd: /project/src\n'));
  });
});
