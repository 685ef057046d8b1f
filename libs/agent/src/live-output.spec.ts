import { setImmediate } from 'node:timers/promises';
import { silentLog } from '#config';
import { PartnerError, textResult, type OutputPiece, type ToolResult } from '#model';
import { AgentBench, fakeCall } from '#testkit';

/** Calls that are under way until the test ends them, with what it lets them put out. One more piece comes when nobody wants any. */
class Stage {
  private readonly ends = new Map<string, (result: ToolResult) => void>();
  private readonly writers = new Map<string, (text: string | Error) => void>();
  readonly stopped: string[] = [];

  readonly run = ({ id }: { readonly id: string }): Promise<ToolResult> => new Promise((resolve) => this.ends.set(id, resolve));

  readonly output = async function* (this: Stage, id: string, signal: AbortSignal): AsyncGenerator<OutputPiece> {
    try {
      while (!signal.aborted) {
        const text = await new Promise<string | Error>((resolve) => {
          this.writers.set(id, resolve);
          signal.addEventListener('abort', () => resolve('late\n'), { once: true });
        });
        if (typeof text !== 'string') throw text;
        yield { pid: 7, bytes: Buffer.from(text) };
      }
    } finally {
      this.stopped.push(id);
    }
  }.bind(this);

  async write(id: string, text: string | Error): Promise<void> {
    await this.until(() => this.writers.has(id));
    this.writers.get(id)?.(text);
    this.writers.delete(id);
    for (let turns = 5; turns > 0; turns -= 1) await setImmediate();
  }

  async end(id: string): Promise<void> {
    await this.until(() => this.ends.has(id));
    this.ends.get(id)?.(textResult(`result of ${id}\n`));
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }
}

function benchOn(stage: Stage, { ids = ['1'], log = silentLog } = {}): AgentBench {
  const tools = { make: { info: { parallel: 'read' as const }, run: stage.run } };
  const bench = new AgentBench({ tools, log, answers: [{ calls: ids.map((id) => fakeCall(id, 'make')) }] });
  bench.host.output = stage.output;
  bench.agent.submit('go');
  return bench;
}

function toolBlocks(bench: AgentBench): readonly string[] {
  const blocks = bench.blocks().filter(({ role }) => role === 'tool');
  return blocks.map(({ attributes: { call, live }, content }) => `${call ?? ''}${live === 'true' ? ' live' : ''}: ${content}`);
}

describe('the output of a running call', () => {
  it('is shown in blocks of its own before the result, and not in chat', async () => {
    const stage = new Stage();
    const bench = benchOn(stage);
    await stage.write('1', 'com');
    expect(toolBlocks(bench)).toEqual(['1 live: com']);
    expect(bench.blocks().at(-1)?.attributes).toEqual({ id: '4', name: 'make', call: '1', live: 'true' });
    await stage.write('1', 'piling\n[[[tool]]]\n');
    await stage.end('1');
    await bench.idle();
    expect(toolBlocks(bench)).toEqual(['1 live: com', '1 live: piling\n[[[tool]]]\n', '1: result of 1\n']);
    expect(bench.lines).toEqual(['user: go', '-> make({})', '<- make 1 lines', 'done']);
    expect(stage.stopped).toEqual(['1']);
  });

  it('is told apart by the call where several run at once', async () => {
    const stage = new Stage();
    const bench = benchOn(stage, { ids: ['1', '2'] });
    await stage.write('2', 'two\n');
    await stage.write('1', 'one\n');
    await stage.end('2');
    await stage.write('1', 'more\n');
    await stage.end('1');
    await bench.idle();
    expect(toolBlocks(bench)).toEqual(['2 live: two\n', '1 live: one\n', '1 live: more\n', '1: result of 1\n', '2: result of 2\n']);
  });

  it('is not shown any more from an interrupt on', async () => {
    const stage = new Stage();
    const bench = benchOn(stage);
    await stage.write('1', 'tick\n');
    await bench.agent.stop();
    expect(toolBlocks(bench)).toEqual(['1 live: tick\n', '1: cancelled']);
    expect(bench.lines.at(-1)).toBe(':: interrupted');
  });

  it('ends after 64 KiB, and nobody asks for more of it', async () => {
    const stage = new Stage();
    const bench = benchOn(stage);
    for (let piece = 0; piece < 5; piece += 1) await stage.write('1', 'x'.repeat(16 * 1024));
    expect(stage.stopped).toEqual(['1']);
    expect(toolBlocks(bench)).toHaveLength(5);
    expect(toolBlocks(bench).at(-1)).toBe('1 live: \n[the output goes on in proc/7/out]\n');
    await stage.end('1');
    await bench.idle();
  });

  it.each([
    ['of the connection', new PartnerError('toolsrv: gone'), 'debug', /make: its output is no longer shown: .*gone/],
    ['that is a bug', new TypeError('x is undefined'), 'error', /TypeError: x is undefined/],
  ])('costs the call nothing when reading it fails for a reason %s', async (_which, failure, level, said) => {
    const logged: string[] = [];
    const stage = new Stage();
    const bench = benchOn(stage, { log: { ...silentLog, [level]: (line: string) => void logged.push(line) } });
    await stage.write('1', failure);
    expect(logged).toEqual([expect.stringMatching(said)]);
    await stage.end('1');
    await bench.idle();
    expect(toolBlocks(bench)).toEqual(['1: result of 1\n']);
    expect(bench.lines.at(-1)).toBe('done');
  });
});
