import { skipGroup, skipParentheses } from '../syntax/scan.js';
import { decodeEscapes } from './ansi-escapes.js';
import { expandBraces } from './braces.js';
import type { Environment } from './environment.js';
import { Fields } from './fields.js';
import { expandParameter } from './parameter-expansion.js';

/** The fields of a word: quotes removed, everything that can be known expanded. Wildcards stay, as marks. */
export function expandWord(raw: string, environment: Environment): readonly string[] {
  if (PLAIN.test(raw)) return [raw];
  return expandBraces(raw).flatMap((word) => {
    const fields = new Fields(environment.separators);
    new WordReader(word, environment, fields).read(true);
    return fields.finish();
  });
}

/** A word where no splitting takes place: an assignment's value, a redirection's target, a here-document. */
export function expandText(raw: string, environment: Environment): string {
  if (PLAIN.test(raw)) return raw;
  const fields = new Fields('');
  new WordReader(raw, environment, fields).read(true);
  return fields.finish().join(' ');
}

/** The body of a here-document, where only `$`, backquotes and backslashes count. */
export function expandDocument(body: string, environment: Environment): string {
  const fields = new Fields('');
  new WordReader(body, environment, fields).readDouble(0, body.length);
  return fields.finish().join('');
}

/** `"$*"` is one field. */
const JOINED = /^(?:\*|\w+\[\*\])/;

const PLAIN = /^[\w./:=@%+,-]*$/;

/** `$((1 + 2))`, and not `$((command); command)`. */
function isArithmetic(raw: string, at: number): boolean {
  return raw.startsWith('$((', at) && skipParentheses(raw, at + 3) + 1 === skipParentheses(raw, at + 2);
}

class WordReader {
  constructor(
    private readonly raw: string,
    private readonly environment: Environment,
    private readonly fields: Fields,
  ) {}

  read(tilde: boolean): void {
    let at = tilde ? this.tilde(0) : 0;
    while (at < this.raw.length) {
      const next = this.part(at);
      at = this.raw[at] === ':' || this.raw[at] === '=' ? this.tilde(next) : next;
    }
  }

  /** `~` counts at the start of a word, and after `:` and `=` where a path stands alone. */
  private tilde(at: number): number {
    const found = /^~([+-]|[\w.-]*)(?=[/:]|$)/.exec(this.raw.slice(at));
    if (found === null) return at;
    const name = found[1] ?? '';
    if (name === '+' || name === '-') this.fields.quoted(this.environment.directory(name));
    else this.fields.quoted(this.homeOf(name));
    return at + found[0].length;
  }

  private homeOf(user: string): string {
    if (user === '' || user === this.environment.parameter('USER')) return this.environment.home;
    return user === 'root' ? '/root' : `/home/${user}`;
  }

  private part(at: number): number {
    const end = skipGroup(this.raw, at);
    const here = this.raw[at] ?? '';
    if (end > at) return this.group(at, end);
    if ((here === '<' || here === '>') && this.raw[at + 1] === '(') return this.connection(at);
    if (here === '$') return this.dollar(at, false);
    if ('?*+@!'.includes(here) && this.raw[at + 1] === '(') return this.pattern(at);
    this.fields.literal(here);
    return at + 1;
  }

  private group(at: number, end: number): number {
    const here = this.raw[at];
    if (here === '\\') this.escaped(this.raw.slice(at + 1, end));
    else if (here === "'") this.fields.quoted(this.raw.slice(at + 1, end - 1));
    else if (here === '"') this.double(at + 1, end - 1);
    else if (this.raw.startsWith("$'", at)) this.fields.quoted(decodeEscapes(this.raw.slice(at + 2, end - 1)));
    else if (this.raw.startsWith('$"', at)) this.double(at + 2, end - 1);
    else return this.dollar(at, false);
    return end;
  }

  private escaped(character: string): void {
    if (character !== '\n') this.fields.quoted(character);
  }

  private double(from: number, to: number): void {
    this.fields.quoted('');
    this.readDouble(from, to);
  }

  readDouble(from: number, to: number): void {
    let at = from;
    while (at < to) {
      const here = this.raw[at] ?? '';
      if (here === '\\') at = this.doubleEscape(at);
      else if (here === '$' || here === '`') at = this.dollar(at, true);
      else {
        const end = this.plainRun(at, to);
        this.fields.quoted(this.raw.slice(at, end));
        at = end;
      }
    }
  }

  private plainRun(at: number, to: number): number {
    const rest = this.raw.slice(at + 1, to).search(/[\\$`]/);
    return rest < 0 ? to : at + 1 + rest;
  }

  private doubleEscape(at: number): number {
    const next = this.raw[at + 1] ?? '';
    if (next !== '\n') this.fields.quoted('$`"\\'.includes(next) ? next : `\\${next}`);
    return at + 2;
  }

  private dollar(at: number, quoted: boolean): number {
    const { raw } = this;
    if (raw[at] === '`')
      return this.substitution(raw.slice(at + 1, skipGroup(raw, at) - 1).replace(/\\([$`\\])/g, '$1'), skipGroup(raw, at), quoted);
    if (isArithmetic(raw, at)) return this.arithmetic(at, quoted);
    if (raw.startsWith('$(', at)) return this.parentheses(at, quoted);
    const name = /^\$(?:\{|([A-Za-z_]\w*|[0-9@*#?$!_-]))/.exec(raw.slice(at, at + 80));
    if (name === null) {
      this.put('$', quoted);
      return at + 1;
    }
    const braced = name[1] === undefined;
    const end = braced ? skipGroup(raw, at) : at + 1 + (name[1]?.length ?? 0);
    this.parameter(braced ? raw.slice(at + 2, end - 1) : (name[1] ?? ''), quoted);
    return end;
  }

  private parameter(expression: string, quoted: boolean): void {
    const value = expandParameter(expression, this.environment, expandText);
    if (typeof value !== 'string' && quoted && !JOINED.test(expression)) this.fields.list(value);
    else this.put(typeof value === 'string' ? value : value.join(' '), quoted);
  }

  private arithmetic(at: number, quoted: boolean): number {
    const end = skipParentheses(this.raw, at + 2);
    const inner = this.raw.slice(at + 3, end - 2);
    this.put(/^\s*\d+\s*$/.test(inner) ? inner.trim() : this.environment.something(), quoted);
    if (/\$\(|`/.test(inner)) expandText(inner, this.environment);
    return end;
  }

  private parentheses(at: number, quoted: boolean): number {
    const end = skipParentheses(this.raw, at + 2);
    return this.substitution(this.raw.slice(at + 2, this.raw[end - 1] === ')' ? end - 1 : end), end, quoted);
  }

  private substitution(script: string, end: number, quoted: boolean): number {
    this.put(this.environment.substitute(script), quoted);
    return end;
  }

  /** What `!(a|b)` and its like stand for is taken for anything. */
  private pattern(at: number): number {
    this.fields.literal('*');
    return skipParentheses(this.raw, at + 2);
  }

  private connection(at: number): number {
    const end = skipParentheses(this.raw, at + 2);
    this.fields.quoted(this.environment.connect(this.raw.slice(at + 2, end - 1), this.raw[at] ?? '<'));
    return end;
  }

  private put(value: string, quoted: boolean): void {
    if (quoted) this.fields.quoted(value);
    else this.fields.value(value);
  }
}
