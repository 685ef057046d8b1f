import { parseCatalog, parseRevision, parseToolInfos, parseToolResult } from './parse-answer.js';

const info = {
  name: 'shell',
  description: 'Run',
  inputSchema: { type: 'object' },
  tier: 'hot',
  parallel: 'none',
  bypass: 'ask',
  timeout: 120,
  background: true,
};

describe('answers of a tool server', () => {
  it('are read as they were meant', () => {
    expect(parseToolInfos(JSON.stringify([info]))).toEqual([info]);
    expect(parseToolInfos('[]\n')).toEqual([]);
    expect(parseRevision('3\n')).toBe(3);
    const entry = { name: 'x', description: 'd', source: 's', available: false, reason: 'rg is missing' };
    expect(parseCatalog(JSON.stringify([entry]))).toEqual([entry]);
    const result = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', mimeType: 'image/png', data: 'QQ==' },
      ],
      isError: true,
      exitCode: 2,
      sandbox: 'partial',
    };
    expect(parseToolResult(`${JSON.stringify(result)}\n`)).toEqual(result);
    expect(parseToolResult('{"content":[],"isError":false}')).toEqual({ content: [], isError: false });
  });

  it.each([
    ['no JSON', () => parseToolResult('oops')],
    ['no object', () => parseToolResult('[]')],
    ['no content', () => parseToolResult('{"isError":false}')],
    ['a part of no known type', () => parseToolResult('{"content":[{"type":"sound"}],"isError":false}')],
    ['a text that is none', () => parseToolResult('{"content":[{"type":"text","text":1}],"isError":false}')],
    ['no verdict', () => parseToolResult('{"content":[],"isError":"no"}')],
    ['an unknown sandbox', () => parseToolResult('{"content":[],"isError":false,"sandbox":"some"}')],
    ['no list of tools', () => parseToolInfos('{}')],
    ['a tool of no known tier', () => parseToolInfos(JSON.stringify([{ ...info, tier: 'tepid' }]))],
    ['a tool without schema', () => parseToolInfos(JSON.stringify([{ ...info, inputSchema: [] }]))],
    ['a catalog of strings', () => parseCatalog('["x"]')],
    ['no number', () => parseRevision('three\n')],
  ])('are refused with %s', (_what, parse) => {
    expect(parse).toThrow(/^i\/o error: toolsrv: malformed answer: /);
  });
});
