const CONTEXT_LINES = 3;
const MAX_HUNKS = 5;

/** A unified diff of replacing byte spans, which must be in order and apart. `replacements` are bytes, one a span. */
export function unifiedDiff(path, file, spans, replacements) {
  const hunks = spans.slice(0, MAX_HUNKS).map((span, index) => hunk(file, span, replacements[index]));
  const left = spans.length - hunks.length;
  return [`--- ${path}\n+++ ${path}\n`, ...hunks, left > 0 ? `[and ${left} more places]\n` : ''].join('');
}

function hunk(file, [start, end], replacement) {
  const from = lineStart(file, start);
  const to = lineEnd(file, end > start && file[end - 1] === 0x0a ? end - 1 : end);
  const before = linesOf(file.subarray(from, to));
  const after = linesOf(Buffer.concat([file.subarray(from, start), replacement, file.subarray(end, to)]));
  const lead = linesOf(file.subarray(0, from)).slice(-CONTEXT_LINES);
  const trail = linesOf(file.subarray(to)).slice(0, CONTEXT_LINES);
  const line = linesOf(file.subarray(0, from)).length - lead.length + 1;
  const size = (changed) => lead.length + changed.length + trail.length;
  const mark = (sign, lines) => lines.map((text) => `${sign}${text}\n`).join('');
  return `@@ -${line},${size(before)} +${line},${size(after)} @@\n${mark(' ', lead)}${mark('-', before)}${mark('+', after)}${mark(' ', trail)}`;
}

function lineStart(file, offset) {
  return offset === 0 ? 0 : file.lastIndexOf(0x0a, offset - 1) + 1;
}

function lineEnd(file, offset) {
  const newline = file.indexOf(0x0a, offset);
  return newline === -1 ? file.length : newline + 1;
}

function linesOf(bytes) {
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, ''));
}
