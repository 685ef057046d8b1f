import { decodeEscapes } from '../words/ansi-escapes.js';

/** What echo prints. */
export function echoText(args: readonly string[]): string {
  const first = args.findIndex((word) => !/^-[neE]+$/.test(word));
  const flags = (first < 0 ? args : args.slice(0, first)).join('');
  const text = first < 0 ? '' : args.slice(first).join(' ');
  return (flags.includes('e') ? decodeEscapes(text) : text) + (flags.includes('n') ? '' : '\n');
}

const MAX_ROUNDS = 64;

/** What printf prints: its format once more for as long as arguments are left. */
export function formatPrintf(args: readonly string[]): string {
  const [format = '', ...values] = args;
  const decoded = decodeEscapes(format);
  let output = '';
  let rest = values;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = rest.length;
    const taken = [...rest];
    output += decoded.replace(/%(?:%|[-+ #0]*\d*(?:\.\d+)?([a-zA-Z]))/g, (whole, kind: string | undefined) => convert(whole, kind, taken));
    rest = taken;
    if (rest.length === 0 || rest.length === before) break;
  }
  return output;
}

function convert(whole: string, kind: string | undefined, values: string[]): string {
  if (kind === undefined) return '%';
  const value = values.shift() ?? '';
  if (kind === 'b') return decodeEscapes(value);
  if (kind === 'c') return value.slice(0, 1);
  return 'sq'.includes(kind) || /^-?\d+$/.test(value) ? value : whole;
}
