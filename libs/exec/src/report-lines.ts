import type { Readable } from 'node:stream';

/** Calls `take` for every complete line; a torn last line, from a helper that was killed, is dropped. */
export function eachReportLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
