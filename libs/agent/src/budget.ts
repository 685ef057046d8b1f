import { ConfigError, parseDuration } from '#config';
import { IllegalInputError, type JsonObject, type JsonValue } from '#model';

/** What an agent has used of what can be limited. */
export interface Spent {
  readonly usd: number;
  readonly tokens: number;
  readonly rounds: number;
  readonly wallMs: number;
}

const KEYS = ['usd', 'tokens', 'rounds', 'wall'] as const;

type Key = (typeof KEYS)[number];

/** Limits of what an agent may use, as they were written; empty = none. */
export class Budget {
  private limits: Readonly<Record<Key, string>>;

  /** `kept`: limits of an earlier process. `keep` hears of each change before it is made, and throws to refuse it. */
  constructor(
    kept: JsonObject = {},
    private readonly keep: (limits: Readonly<Record<Key, string>>) => void = () => undefined,
  ) {
    const known = KEYS.flatMap((key) => keptLimit(key, kept[key]));
    this.limits = { usd: '', tokens: '', rounds: '', wall: '', ...Object.fromEntries(known) };
  }

  /** One line a key: its limit and what is spent. */
  text({ usd, tokens, rounds, wallMs }: Spent): string {
    const spent = {
      usd: String(Number(usd.toFixed(4))),
      tokens: String(tokens),
      rounds: String(rounds),
      wall: `${Math.round(wallMs / 1000)}s`,
    };
    return KEYS.map((key) => `${key}=${this.limits[key]} spent=${spent[key]}\n`).join('');
  }

  /** `key=value` lines, all or none. Throws IllegalInputError. */
  apply(lines: readonly string[]): void {
    const limits = { ...this.limits, ...Object.fromEntries(lines.map(readLine)) };
    this.keep(limits);
    this.limits = limits;
  }
}

/** Nothing for what is no limit. */
function keptLimit(key: Key, value: JsonValue | undefined): readonly (readonly [Key, string])[] {
  return typeof value === 'string' && isLimit(key, value) ? [[key, value]] : [];
}

function readLine(line: string): readonly [key: Key, value: string] {
  const [, word, text = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? [];
  if (word === undefined) throw new IllegalInputError('argument', line.trim());
  const key = KEYS.find((one) => one === word);
  if (key === undefined) throw new IllegalInputError('key', word);
  const value = text.trim();
  if (value !== '' && !isLimit(key, value)) throw new IllegalInputError('value', `${key}=${value}`);
  return [key, value];
}

function isLimit(key: Key, value: string): boolean {
  if (key === 'wall') return isDuration(value);
  return (key === 'usd' ? /^\d{1,9}(\.\d{1,6})?$/ : /^\d{1,12}$/).test(value);
}

function isDuration(value: string): boolean {
  try {
    parseDuration(value);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
