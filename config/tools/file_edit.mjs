import { existsSync } from 'node:fs';
import { unifiedDiff } from './_lib/diff-hunk.mjs';
import { explainMiss } from './_lib/explain-miss.mjs';
import { findSpans, fitLineEnds, lineOf } from './_lib/find-spans.mjs';
import { isUtf16, readStart, withRegularFile } from './_lib/regular-file.mjs';
import { replaceFile } from './_lib/replace-file.mjs';
import { runTool, ToolFailure, toPath } from './_lib/run-tool.mjs';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_LISTED_LINES = 20;

runTool(({ file_path, old_string, new_string, replace_all = false }) => {
  const path = toPath(file_path);
  if (old_string === '') return create(path, new_string);
  if (old_string === new_string) throw new ToolFailure('old_string and new_string are the same: nothing to change');
  const file = withRegularFile(path, (descriptor, facts) => contentOf(path, descriptor, facts));
  const spans = chooseSpans(path, file, old_string, replace_all);
  const replacements = spans.map((span) => fitLineEnds(Buffer.from(new_string), file, span));
  replaceFile(path, spliced(file, spans, replacements));
  return unifiedDiff(path, file, spans, replacements);
});

function create(path, text) {
  if (existsSync(path)) throw new ToolFailure(`${path}: exists; old_string must say what to replace`);
  replaceFile(path, Buffer.from(text));
  return `created ${path}\n`;
}

function contentOf(path, descriptor, { size }) {
  if (size > MAX_FILE_BYTES)
    throw new ToolFailure(`${path}: ${size} bytes are too many to edit (limit ${MAX_FILE_BYTES}); use sed with the shell tool`);
  const content = readStart(descriptor, size);
  if (isUtf16(content)) throw new ToolFailure(`${path}: UTF-16 text cannot be edited; convert it with iconv`);
  return content;
}

function chooseSpans(path, file, oldString, replaceAll) {
  const spans = findSpans(file, Buffer.from(oldString));
  if (spans.length === 0) throw new ToolFailure(explainMiss(path, file, oldString));
  if (spans.length === 1) return spans;
  const lines = spans.slice(0, MAX_LISTED_LINES).map(([start]) => lineOf(file, start));
  const where = `${lines.join(', ')}${spans.length > lines.length ? ', ...' : ''}`;
  if (!replaceAll) {
    throw new ToolFailure(
      `${path}: old_string stands there ${spans.length} times, at lines ${where}; give more lines around it or set replace_all`,
    );
  }
  const overlap = spans.some(([start], index) => index > 0 && start < spans[index - 1][1]);
  if (overlap) throw new ToolFailure(`${path}: the places of old_string overlap, at lines ${where}; give a longer old_string`);
  return spans;
}

function spliced(file, spans, replacements) {
  const parts = [];
  let from = 0;
  for (const [index, [start, end]] of spans.entries()) {
    parts.push(file.subarray(from, start), replacements[index]);
    from = end;
  }
  return Buffer.concat([...parts, file.subarray(from)]);
}
