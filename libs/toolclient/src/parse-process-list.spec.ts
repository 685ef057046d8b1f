import { parseProcessList, parseStatLines } from './parse-process-list.js';

describe('the process list', () => {
  it('is read line by line', () => {
    expect(parseProcessList('7\trunning\tshell\n8\texited\tfile_read\n')).toEqual([
      { pid: 7, state: 'running', tool: 'shell' },
      { pid: 8, state: 'exited', tool: 'file_read' },
    ]);
    expect(parseProcessList('')).toEqual([]);
  });

  it.each(['7 running shell', 'x\trunning\tshell', '7\tasleep\tshell', '7\trunning'])('is refused with the line %j', (line) => {
    expect(() => parseProcessList(`${line}\n`)).toThrow('i/o error: toolsrv: malformed answer: proc/list');
  });
});

describe('the facts of a process', () => {
  it('are read with their escapes undone', () => {
    const facts = parseStatLines('id=9\ncmd=echo a=b\\n\\tx\\\\n\nend=\n');
    expect([...facts]).toEqual([
      ['id', '9'],
      ['cmd', 'echo a=b\n\tx\\n'],
      ['end', ''],
    ]);
  });
});
