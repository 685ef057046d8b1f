import { silentLog } from '#config';
import { PartnerError, textResult, type ToolResult } from '#model';
import { AgentBench, fakeCall, rolesOf, textsOf } from '#testkit';

describe('tool calls', () => {
  it('run one after the other, and neighbours that only read side by side with results in call order', async () => {
    const order: string[] = [];
    const slowFirst = async (id: string): Promise<ToolResult> => {
      for (let turns = id === 'r1' ? 20 : 1; turns > 0; turns -= 1) await Promise.resolve();
      order.push(id);
      return textResult(id);
    };
    const bench = new AgentBench({
      tools: {
        read: { info: { parallel: 'read' }, run: ({ id }) => slowFirst(id) },
        write: { run: ({ id }) => slowFirst(id) },
      },
      answers: [{ calls: [...['r1', 'r2', 'w1'].map((id) => fakeCall(id, id[0] === 'r' ? 'read' : 'write')), fakeCall('r3', 'read')] }],
    });
    await bench.prompt('go');
    expect(order).toEqual(['r2', 'r1', 'w1', 'r3']);
    expect(textsOf(bench.backend.requests[1]?.messages.slice(2))).toEqual(['r1', 'r2', 'w1', 'r3']);
    expect(bench.blocks('usage', 'state').map((block) => block.role + (block.attributes.call ?? ''))).toEqual([
      'user',
      'callr1',
      'callr2',
      'toolr1',
      'toolr2',
      'callw1',
      'toolw1',
      'callr3',
      'toolr3',
      'assistant',
    ]);
    expect([...bench.host.servers.values()][0]?.mostActive).toBe(2);
  });

  it('run at most eight reads at a time', async () => {
    const bench = new AgentBench({
      tools: { read: { info: { parallel: 'read' } } },
      answers: [{ calls: Array.from({ length: 20 }, (_, index) => fakeCall(`r${index}`, 'read')) }],
    });
    await bench.prompt('go');
    expect([...bench.host.servers.values()][0]?.mostActive).toBe(8);
  });

  it('to a tool that is not loaded and with arguments that did not parse become error results', async () => {
    const broken = { ...fakeCall('c2', 'shell'), rawArguments: '{"cmd":', argumentsError: 'Unexpected end' };
    const bench = new AgentBench({ tools: { shell: {} }, answers: [{ calls: [fakeCall('c1', 'magic'), broken] }] });
    await bench.prompt('go');
    expect(textsOf(bench.backend.requests[1]?.messages.slice(2))).toEqual(['tool not loaded: magic', 'invalid arguments: Unexpected end']);
    expect(bench.lines.slice(1, 5)).toEqual(['-> magic({})', '<- magic 1 lines error', '-> shell({"cmd":)', '<- shell 1 lines error']);
    expect([...bench.host.servers.values()][0]?.calls).toEqual([]);
  });

  it('with repeated or missing ids and impossible names can be sent back', async () => {
    const bench = new AgentBench({
      tools: { shell: {} },
      answers: [
        { calls: [fakeCall('x', 'shell'), fakeCall('x', 'shell'), fakeCall('', 'a.b c'), fakeCall('', ''), fakeCall('y', 'n'.repeat(65))] },
      ],
    });
    await bench.prompt('go');
    const [, assistant] = bench.backend.requests[1]?.messages ?? [];
    const calls = assistant?.role === 'assistant' ? assistant.toolCalls : [];
    expect(new Set(calls.map((call) => call.id)).size).toBe(5);
    expect(calls.map((call) => call.name)).toEqual(['shell', 'shell', 'a_b_c', 'unnamed', 'n'.repeat(64)]);
    expect(calls.every((call) => call.id !== '')).toBe(true);
  });

  it('give the model at most 32 KiB, and words for no output', async () => {
    const big = 'x'.repeat(100_000);
    const image = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };
    const bench = new AgentBench({
      tools: {
        big: { run: () => textResult(big) },
        silent: { run: () => textResult('') },
        picture: { run: () => ({ content: [image], isError: false }) },
      },
      answers: [{ calls: [fakeCall('1', 'big'), fakeCall('2', 'silent'), fakeCall('3', 'picture')] }],
    });
    await bench.prompt('go');
    const results = bench.backend.requests[1]?.messages.slice(2) ?? [];
    expect(textsOf(results)[0]?.length).toBeLessThanOrEqual(32_768);
    expect(textsOf(results)[0]).toContain('bytes left out');
    expect(results.slice(1).map((message) => message.content)).toEqual([[{ type: 'text', text: '(no output)' }], [image]]);
    expect(bench.lines).toContain('<- silent 0 lines');
    expect(bench.blocks().at(-3)?.content ?? '').toContain('[image/png, 3 bytes]');
  });

  it('of an answer that was cut at the output limit do not run', async () => {
    const bench = new AgentBench({ tools: { shell: {} }, answers: [{ calls: [fakeCall('1', 'shell')], stop: 'length' }, { text: 'ok' }] });
    await bench.prompt('go');
    expect([...bench.host.servers.values()][0]?.calls).toEqual([]);
    expect(textsOf(bench.backend.requests[1]?.messages)[2]).toContain('cut at the output limit');
    expect(bench.lines.at(-1)).toBe('ok');
  });

  it('go on after a lost connection, with the next call on a new one', async () => {
    const warnings: string[] = [];
    const bench: AgentBench = new AgentBench({
      log: { ...silentLog, warn: (text) => void warnings.push(text) },
      tools: { shell: { run: ({ id }) => (id === '1' ? loseAndHang() : textResult('fine')) } },
      answers: [{ calls: [fakeCall('1', 'shell')] }, { calls: [fakeCall('2', 'shell')] }],
    });
    const loseAndHang = () => {
      queueMicrotask(() => bench.host.servers.get(bench.agent.id)?.lose());
      return new Promise<ToolResult>(() => undefined);
    };
    await bench.prompt('go');
    expect(textsOf(bench.backend.requests[2]?.messages).filter((_, index) => [2, 4].includes(index))).toEqual([
      'toolsrv connection lost',
      'fine',
    ]);
    expect(warnings).toEqual(['shell: i/o error: toolsrv: connection lost']);
  });

  it('tell what a tool server said that is not what the contract says', async () => {
    const malformed = new PartnerError('toolsrv: malformed answer: not JSON');
    const bench = new AgentBench({
      tools: { shell: { run: () => Promise.reject(malformed) } },
      answers: [{ calls: [fakeCall('1', 'shell')] }],
    });
    await bench.prompt('go');
    expect(textsOf(bench.backend.requests[1]?.messages)[2]).toBe('i/o error: toolsrv: malformed answer: not JSON');
  });

  it('that hit a bug of the tool server end the turn with every call answered, and the next turn goes on', async () => {
    const bench = new AgentBench({
      tools: { shell: { run: () => Promise.reject(new RangeError('bug')) } },
      answers: [{ calls: [fakeCall('1', 'shell'), fakeCall('2', 'shell')] }],
    });
    await bench.prompt('go');
    expect(bench.lines.at(-1)).toBe('error: internal error: bug');
    await bench.prompt('again');
    expect(rolesOf(bench.backend.requests[1]?.messages)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });
});
