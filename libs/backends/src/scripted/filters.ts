import type { Place } from '../place.js';

const MOST = 100_000_000;
const LOREM = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua ';

type Filter = (text: string) => string;

/** The filters of templates by name. Each reads its argument when the script is read. */
export const filters: ReadonlyMap<string, (argument: string, place: Place) => Filter> = new Map([
  ['trim', () => (text: string) => text.trim()],
  ['line', (argument: string, place: Place) => linesFilter(argument, place, (lines, n) => lines.slice(n - 1, n))],
  ['head', (argument: string, place: Place) => linesFilter(argument, place, (lines, n) => lines.slice(0, n))],
  ['tail', (argument: string, place: Place) => linesFilter(argument, place, (lines, n) => lines.slice(-n))],
  ['count', () => (text: string) => Array.from({ length: amountIn(text) }, (_, i) => i + 1).join('\n')],
  ['lorem', () => (text: string) => loremOf(amountIn(text))],
]);

function linesFilter(argument: string, place: Place, pick: (lines: readonly string[], n: number) => readonly string[]): Filter {
  const n = /^[1-9]\d*$/.test(argument) ? Number(argument) : place.fail('line, head and tail need a number from 1');
  return (text) => pick(text.replace(/\n$/, '').split('\n'), n).join('\n');
}

function loremOf(bytes: number): string {
  return LOREM.repeat(Math.ceil(bytes / LOREM.length)).slice(0, bytes);
}

function amountIn(text: string): number {
  const amount = Number(text);
  return Number.isInteger(amount) && amount >= 0 ? Math.min(amount, MOST) : 0;
}
