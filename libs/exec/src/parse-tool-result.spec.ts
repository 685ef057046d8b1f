import { announcesResult, parseToolResult } from './parse-tool-result.js';

describe('a result that a tool prints itself', () => {
  test('is announced by its first line alone', () => {
    expect(announcesResult(Buffer.from('#!ollie-result\n{}'))).toBe(true);
    expect(announcesResult(Buffer.from('#!ollie-result\r\n{}'))).toBe(true);
    expect(announcesResult(Buffer.from('#!ollie-results\n{}'))).toBe(false);
    expect(announcesResult(Buffer.from(' #!ollie-result\n'))).toBe(false);
    expect(announcesResult(Buffer.from(''))).toBe(false);
  });

  test('may hold texts and images', () => {
    const content = [
      { type: 'text', text: 'x' },
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
    ];
    expect(parseToolResult(`#!ollie-result\n${JSON.stringify({ content, isError: true })}\n`)).toEqual({ content, isError: true });
    expect(parseToolResult(`#!ollie-result\n${JSON.stringify({ content: [] })}`)).toEqual({ content: [], isError: false });
  });

  test.each([
    ['nonsense', 'no JSON object'],
    ['[]', 'no JSON object'],
    ['{"content":1}', 'content is no list'],
    ['{"content":[{"type":"sound"}]}', 'neither text nor image'],
    ['{"content":[{"type":"text"}]}', 'neither text nor image'],
    ['{"content":[],"isError":1}', 'neither true nor false'],
  ])('%s is none, and the reason is told', (json, why) => {
    expect(parseToolResult(`#!ollie-result\n${json}`)).toContain(why);
  });
});
