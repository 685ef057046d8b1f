const CONTEXT = 3;

/** One hunk of diff -u from the first line that differs to the last one. */
export function lineDiff(before: string, after: string): string {
  const [old, current] = [linesOf(before), linesOf(after)];
  const head = equalLines(old, current);
  const tail = Math.min(equalLines([...old].reverse(), [...current].reverse()), old.length - head, current.length - head);
  const from = Math.max(0, head - CONTEXT);
  const trail = Math.min(CONTEXT, tail);
  const range = (lines: readonly string[]): string => `${from + 1},${lines.length - tail + trail - from}`;
  const lines = [
    `@@ -${range(old)} +${range(current)} @@`,
    ...marked(' ', old.slice(from, head)),
    ...marked('-', old.slice(head, old.length - tail)),
    ...marked('+', current.slice(head, current.length - tail)),
    ...marked(' ', old.slice(old.length - tail, old.length - tail + trail)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function equalLines(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index]);
  return different === -1 ? a.length : different;
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => mark + line);
}
