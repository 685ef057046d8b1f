import { imageType } from './_lib/image-type.mjs';
import { eachLine } from './_lib/line-window.mjs';
import { binaryKind, readStart, withRegularFile } from './_lib/regular-file.mjs';
import { runTool, ToolFailure, toPath } from './_lib/run-tool.mjs';

const MAX_LINES = 2000;
const MAX_BYTES = 30_000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const REPLACEMENT = '\ufffd';

runTool(({ file_path, offset = 1, limit = MAX_LINES }) => {
  const path = toPath(file_path);
  return withRegularFile(path, (descriptor, { size }) => {
    const start = readStart(descriptor, 8192);
    const type = imageType(start);
    if (type !== undefined) return image(path, { type, bytes: size }, () => readStart(descriptor, size));
    const kind = binaryKind(start);
    if (kind !== undefined) throw new ToolFailure(`${path}: ${kind} of ${size} bytes; look at it with the shell tool (file, od, iconv)`);
    return text(path, descriptor, { offset, limit });
  });
});

function text(path, descriptor, { offset, limit }) {
  const shown = [];
  let bytes = 0;
  let more = false;
  const total = eachLine(descriptor, MAX_LINE_CHARACTERS * 4, (line, number) => {
    if (number < offset) return true;
    const row = { number, text: lineText(line, path, number) };
    more = shown.length >= limit || (shown.length > 0 && bytes + Buffer.byteLength(row.text) > MAX_BYTES);
    if (more) return false;
    bytes += Buffer.byteLength(row.text) + 10;
    shown.push(row);
    return true;
  });
  if (total === 0) return `[${path} is empty]\n`;
  if (shown.length === 0) throw new ToolFailure(`${path}: has only ${total} lines; offset ${offset} is past its end`);
  return render(shown, more);
}

function render(shown, more) {
  const last = shown.at(-1).number;
  const width = String(last).length;
  const rows = shown.map(({ number, text }) => `${String(number).padStart(width)}  ${text.replace(/\r$/, '')}\n`);
  const notes = [
    more ? `[more lines follow; go on with offset=${last + 1}]\n` : '',
    shown.some(({ text }) => text.endsWith('\r')) ? '[lines end with CRLF]\n' : '',
    shown.some(({ text }) => text.includes(REPLACEMENT)) ? `[bytes that are not UTF-8 are shown as ${REPLACEMENT}]\n` : '',
  ];
  return rows.join('') + notes.join('');
}

function lineText(line, path, number) {
  const text = Buffer.concat(line.parts).toString('utf8');
  const characters = Array.from(text.length > MAX_LINE_CHARACTERS ? text.slice(0, MAX_LINE_CHARACTERS * 2) : text);
  if (characters.length <= MAX_LINE_CHARACTERS && line.kept === line.bytes) return text;
  const head = characters.slice(0, MAX_LINE_CHARACTERS).join('');
  const rest = line.bytes - Buffer.byteLength(head);
  return `${head} [... ${rest} more bytes; shell: sed -n ${number}p '${path}' | tail -c ${rest} | head -c 20000]`;
}

function image(path, { type, bytes }, content) {
  if (bytes > MAX_IMAGE_BYTES) throw new ToolFailure(`${path}: an image of ${bytes} bytes; the limit is ${MAX_IMAGE_BYTES}`);
  const parts = [
    { type: 'text', text: `${path}: ${type}, ${bytes} bytes` },
    { type: 'image', mimeType: type, data: content().toString('base64') },
  ];
  return `#!ollie-result\n${JSON.stringify({ content: parts, isError: false })}\n`;
}
