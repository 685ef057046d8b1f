/** What can be asked for a header; `null` when it is missing. */
export interface HeaderSource {
  get(name: string): string | null;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** Whoever says more, or a number that is none any more, means never: ten years. */
const MOST_MS = 315_576_000_000;
const WISH = '\\b(?:(?:try again|retry) (?:in|after)|reset after|wait) ';
const IN_TEXT = new RegExp(`${WISH}((?:\\d+(?:\\.\\d+)?(?:ms|s|m|h))+)`, 'i');
const IN_WORDS = new RegExp(`${WISH}(\\d+(?:\\.\\d+)?) ?(millisec|ms|sec|min|hour)`, 'i');
const WORDS: Readonly<Record<string, string>> = { millisec: 'ms', ms: 'ms', sec: 's', min: 'm', hour: 'h' };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/i;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/gi;

/**
 * The provider's wish in ms: `retry-after-ms`, else `retry-after` (seconds or an HTTP date), else `try again in 6m0s`,
 * `retry after 20 seconds` or `reset after 6m0s` in its text. Undefined when it says nothing that can be understood.
 */
export function retryAfterMs(headers: HeaderSource | undefined, text: string, now = Date.now()): number | undefined {
  const told = fromMilliseconds(headers?.get('retry-after-ms')) ?? fromHeader(headers?.get('retry-after'), now) ?? fromText(text);
  return told && Math.min(told, MOST_MS);
}

function fromMilliseconds(value: string | null | undefined): number | undefined {
  return value && isNumber(value) ? Number(value) : undefined;
}

function fromHeader(value: string | null | undefined, now: number): number | undefined {
  if (!value) return undefined;
  if (isNumber(value)) return Math.round(Number(value) * 1000);
  const date = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function fromText(text: string): number | undefined {
  const [, amount = '', word = ''] = IN_WORDS.exec(text) ?? [];
  return durationMs(word === '' ? (IN_TEXT.exec(text)?.[1] ?? '') : `${amount}${WORDS[word.toLowerCase()] ?? ''}`);
}

/** `6m0s`, `45.8s`, `120ms` in ms; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit.toLowerCase()] ?? 0);
  return Math.min(Math.round(total), MOST_MS);
}

function isNumber(value: string): boolean {
  return /^\s*\d+(\.\d+)?\s*$/.test(value);
}
