import { MARK } from '../words/unknown.js';
import { baseName, filtered, has, inputOf, type ParsedCall, type ProgramHandlers } from './program-tools.js';

/** Programs whose output can be told from their input. */
export const textHandlers: ProgramHandlers = {
  cat: (call) => inputOf(call, call.options.operands),
  base64: decodeBase64,
  base32: (call) => opaque(call),
  openssl: (call) => (call.args.some((word) => /^-?(?:base64|a)$/.test(word)) ? decodeBase64(call) : filtered(call)),
  xxd: (call) => (has(call, 'r') ? decodeHex(call) : filtered(call)),
  gunzip: opaque,
  gzip: (call) => (has(call, 'decompress') ? opaque(call) : filtered(call)),
  zcat: opaque,
  bunzip2: opaque,
  xz: (call) => (has(call, 'decompress') ? opaque(call) : filtered(call)),
  uudecode: opaque,
  gpg: (call) => (has(call, 'decrypt') ? opaque(call) : filtered(call)),
  rev: (call) => eachLine(call, (line) => Array.from(line).reverse().join('')),
  tac: (call) => filtered(call),
  tr: translate,
  basename: ({ args }) => `${baseName(args[0] ?? '')}\n`,
  dirname: ({ args }) => `${(args[0] ?? '').replace(/\/*[^/]*\/*$/, '') || (args[0]?.startsWith('/') === true ? '/' : '.')}\n`,
  realpath: resolved,
  readlink: resolved,
  /** It fails where nothing can be written at all, and says so. */
  mktemp: ({ shell }) => shell.unknown({ empty: 'never' }),
  ls: listFiles,
  which: ({ options }) => lookedUp(options.operands),
  type: ({ options }) => lookedUp(options.operands),
  head: passOn,
  tail: passOn,
  sort: passOn,
  uniq: passOn,
  nl: passOn,
  yes: (call) => `${call.args.join(' ') || 'y'}\n`,
};

/** Where a program lies nobody knows, and its name stands for it. */
export function lookedUp(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('');
}

/** One line of input stays what it was, whatever the program does with many. */
function passOn(call: ParsedCall): string {
  const text = call.stdin ?? '';
  return text.trim() !== '' && !text.trimEnd().includes('\n') && call.options.operands.length === 0 ? text : filtered(call);
}

function isKnown(call: ParsedCall, text: string): boolean {
  return call.shell.session.unknowns.in(text).length === 0;
}

function opaque(call: ParsedCall): string {
  const text = inputOf(
    call,
    call.options.operands.filter((word) => /[./]/.test(word)),
  );
  return call.shell.session.unknowns.derive(text, { encoded: true });
}

function decodeBase64(call: ParsedCall): string {
  if (!has(call, 'decode') && !call.args.includes('-d') && !call.args.includes('-D')) return filtered(call);
  const text = inputOf(call, call.name === 'base64' ? call.options.operands : []);
  return isKnown(call, text) && text !== ''
    ? Buffer.from(text, 'base64').toString('utf8')
    : call.shell.session.unknowns.derive(text, { encoded: true });
}

function decodeHex(call: ParsedCall): string {
  const text = inputOf(call, call.options.operands);
  return isKnown(call, text) && text !== '' ? Buffer.from(text.replace(/\s+/g, ''), 'hex').toString('utf8') : opaque(call);
}

function eachLine(call: ParsedCall, change: (line: string) => string): string {
  const text = inputOf(call, call.options.operands);
  return isKnown(call, text) ? text.split('\n').map(change).join('\n') : filtered(call);
}

const RANGES: Readonly<Record<string, string>> = { '[:upper:]': 'A-Z', '[:lower:]': 'a-z', '[:digit:]': '0-9', '[:space:]': ' \t\n' };

function translate(call: ParsedCall): string {
  const text = inputOf(call, []);
  if (!isKnown(call, text)) return filtered(call);
  const [from = '', to = ''] = call.options.operands.map(characters);
  if (has(call, 'd'))
    return Array.from(text)
      .filter((each) => !from.includes(each))
      .join('');
  if (has(call, 's') || has(call, 'c') || to === '') return filtered(call);
  const map = (each: string): string => {
    const at = from.indexOf(each);
    return at < 0 ? each : (to[at] ?? to.at(-1) ?? each);
  };
  return Array.from(text).map(map).join('');
}

function characters(set: string): string {
  const plain = Object.entries(RANGES).reduce((text, [name, range]) => text.replaceAll(name, range), set);
  return plain.replace(/\\n/g, '\n').replace(/(.)-(.)/gs, (_, from: string, to: string) => {
    const [start, end] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: Math.max(end - start + 1, 0) }, (_value, index) => String.fromCharCode(start + index)).join('');
  });
}

function resolved(call: ParsedCall): string {
  const [path] = call.options.operands;
  return path === undefined ? '' : `${call.shell.resolve(path)}\n`;
}

/** Names in another directory are not told: a command that takes them from here would miss them. */
function listFiles(call: ParsedCall): string {
  const { operands } = call.options;
  if (operands.some((path) => call.shell.resolve(path) === '/proc'))
    return call.shell.unknown({ empty: 'output', processes: { everything: true, patterns: [] } });
  if (operands.length === 0) return `${MARK.star}\n`;
  if (has(call, 'directory') || operands.some((path) => /[\ue000-\ue003]/.test(path))) return operands.map((path) => `${path}\n`).join('');
  return call.shell.unknown({ empty: 'output' });
}
