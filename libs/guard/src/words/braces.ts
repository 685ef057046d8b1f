import { skipGroup } from '../syntax/scan.js';

const MAX_WORDS = 512;
const MAX_RANGE = 40;
const MAX_DEPTH = 60;

/** Brace expansion as bash does it: before all else, on the text of a word. At most 512 words come out of one. */
export function expandBraces(raw: string, depth = 0): readonly string[] {
  if (!raw.includes('{') || depth > MAX_DEPTH) return [raw];
  const found = firstBraces(raw);
  if (found === undefined) return [raw];
  const tails = expandBraces(raw.slice(found.end), depth + 1);
  const inner = found.range ?? found.parts.flatMap((part) => expandBraces(part, depth + 1));
  return inner.flatMap((part) => tails.map((tail) => raw.slice(0, found.start) + part + tail)).slice(0, MAX_WORDS);
}

interface Braces {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
  readonly range: readonly string[] | undefined;
}

function firstBraces(raw: string): Braces | undefined {
  let tries = 0;
  for (let at = 0; at < raw.length;) {
    const next = skipGroup(raw, at);
    if (next > at) {
      at = next;
      continue;
    }
    const found = raw[at] === '{' ? bracesAt(raw, at) : undefined;
    if (found !== undefined) return found;
    if (raw[at] === '{') tries += 1;
    if (tries > MAX_DEPTH) return undefined;
    at += 1;
  }
  return undefined;
}

function bracesAt(raw: string, start: number): Braces | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < raw.length;) {
    const next = skipGroup(raw, at);
    if (next > at) {
      at = next;
      continue;
    }
    if (raw[at] === '{') depth += 1;
    if (raw[at] === ',' && depth === 1) commas.push(at);
    if (raw[at] === '}') depth -= 1;
    at += 1;
    if (depth === 0) return closed(raw, start, { end: at, commas });
  }
  return undefined;
}

function closed(raw: string, start: number, { end, commas }: { end: number; commas: readonly number[] }): Braces | undefined {
  const range = rangeOf(raw.slice(start + 1, end - 1));
  if (range !== undefined) return { start, end, parts: [], range };
  if (commas.length === 0) return undefined;
  const cuts = [start, ...commas, end - 1];
  return { start, end, parts: cuts.slice(1).map((cut, index) => raw.slice((cuts[index] ?? 0) + 1, cut)), range: undefined };
}

function rangeOf(inside: string): readonly string[] | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.-?\d+)?$/.exec(inside);
  if (numbers !== null) return counted(Number(numbers[1]), Number(numbers[2]));
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(inside);
  if (letters === null) return undefined;
  const codes = counted(letters[1]?.charCodeAt(0) ?? 0, letters[2]?.charCodeAt(0) ?? 0);
  return codes.map((code) => String.fromCharCode(Number(code)));
}

/** A long range keeps its ends, and a wildcard stands for what is between. */
function counted(from: number, to: number): readonly string[] {
  const size = Math.abs(to - from) + 1;
  if (size > MAX_RANGE) return [String(from), String(to), '[0-9]*'];
  return Array.from({ length: size }, (_, index) => String(from + (to >= from ? index : -index)));
}
