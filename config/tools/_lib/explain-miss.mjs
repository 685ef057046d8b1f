const MAX_CANDIDATES = 3;
const LINE_NUMBER = /^\s*\d+ {2}/;

/** Why `old` was not found, as far as the file tells: one text for the model. */
export function explainMiss(path, file, old) {
  const hints = [numberHint(old), escapeHint(file, old), encodingHint(file, old), nearHint(file, old)];
  return [`${path}: old_string was not found`, ...hints.filter((hint) => hint !== undefined)].join('\n');
}

function numberHint(old) {
  const lines = old.split('\n').filter((line) => line !== '');
  return lines.every((line) => LINE_NUMBER.test(line))
    ? 'It starts with line numbers: leave out what file_read puts before each line.'
    : undefined;
}

function escapeHint(file, old) {
  const meant = old.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
  return meant !== old && file.includes(meant)
    ? 'It has \\n or \\t as two characters; with real line ends and tabs it is there.'
    : undefined;
}

function encodingHint(file, old) {
  const isUtf8 = Buffer.from(file.toString('utf8')).equals(file);
  return isUtf8 || /^[\0-\x7f]*$/.test(old) ? undefined : 'The file is not UTF-8: only ASCII text can be matched in it.';
}

/** Lines that equal the first line of `old` but for blanks, with tabs and spaces made visible. */
function nearHint(file, old) {
  const first = old.split('\n').find((line) => line.trim() !== '');
  if (first === undefined) return undefined;
  const squeezed = squeeze(first);
  const near = file
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => (squeeze(line) === squeezed ? [`${index + 1}: ${visible(line)}`] : []));
  if (near.length === 0) return 'No line of the file looks like its first line; read the file again.';
  const shown = near.slice(0, MAX_CANDIDATES).join('\n');
  return `The file has (· space, → tab, ␍ carriage return):\n${shown}\nYour text has:\n${visible(first)}\nThe difference may also lie in a later line.`;
}

function squeeze(line) {
  return line.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, '');
}

function visible(line) {
  return line.replaceAll(' ', '·').replaceAll('\t', '→').replaceAll('\r', '␍').replaceAll('\u00a0', '[U+00A0]');
}
