/** The options of a program: their names, and which of them take a value. */
export interface OptionGrammar {
  /** Each name to the one that the rules use, the last of its group. */
  readonly names: ReadonlyMap<string, string>;
  readonly valued: ReadonlySet<string>;
}

/** Reads `r,R,recursive o,output:` : groups of names for one option, with a colon where a value follows. */
export function parseOptionGrammar(text: string): OptionGrammar {
  const names = new Map<string, string>();
  const valued = new Set<string>();
  for (const group of text.split(/\s+/).filter((each) => each !== '')) {
    const all = group.replace(/:$/, '').split(',');
    const canonical = all.at(-1) ?? group;
    for (const name of all) names.set(name, canonical);
    if (group.endsWith(':')) valued.add(canonical);
  }
  return { names, valued };
}

export const NO_GRAMMAR = parseOptionGrammar('');

export interface Options {
  /** Each option given, under the name of its group, with its values. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/** Reads arguments as getopt does: `-rf`, `-r -f`, `--recursive`, `--recurs`, `--out=x`, `--`. With `stop`, operands begin at the first. */
export function parseOptions(args: readonly string[], grammar: OptionGrammar, stop = false): Options {
  const reader = new OptionReader(grammar);
  for (let at = 0; at < args.length;) {
    const word = args[at] ?? '';
    if (word === '--') return { given: reader.given, operands: [...reader.operands, ...args.slice(at + 1)] };
    const isOption = word.length > 1 && word.startsWith('-');
    if (!isOption && stop) return { given: reader.given, operands: args.slice(at) };
    if (isOption) at += reader.option(word, args[at + 1]);
    else {
      reader.operands.push(word);
      at += 1;
    }
  }
  return { given: reader.given, operands: reader.operands };
}

class OptionReader {
  readonly given = new Map<string, string[]>();
  readonly operands: string[] = [];

  constructor(private readonly grammar: OptionGrammar) {}

  /** Takes one word of options; gives how many words it used. */
  option(word: string, next: string | undefined): number {
    if (word.startsWith('--')) return this.long(word.slice(2), next);
    const whole = word.slice(1);
    if (whole.length > 1 && this.grammar.names.has(whole)) return this.take(whole, next);
    if (this.grammar.names.size === 0) this.add(whole);
    return this.cluster(whole, next);
  }

  private cluster(letters: string, next: string | undefined): number {
    for (let at = 0; at < letters.length; at += 1) {
      const name = this.grammar.names.get(letters[at] ?? '') ?? letters[at] ?? '';
      const rest = letters.slice(at + 1);
      if (!this.grammar.valued.has(name)) this.add(name);
      else if (rest !== '') {
        this.add(name, rest);
        return 1;
      } else return this.take(name, next);
    }
    return 1;
  }

  private long(text: string, next: string | undefined): number {
    const equals = text.indexOf('=');
    const name = this.full(equals < 0 ? text : text.slice(0, equals));
    if (equals < 0) return this.take(name, next);
    this.add(name, text.slice(equals + 1));
    return 1;
  }

  private full(name: string): string {
    const known = this.grammar.names.get(name);
    if (known !== undefined) return known;
    const longer = [...this.grammar.names].filter(([each]) => each.length > 1 && each.startsWith(name));
    const meant = new Set(longer.map(([, canonical]) => canonical));
    return meant.size === 1 ? ([...meant][0] ?? name) : name;
  }

  private take(given: string, next: string | undefined): number {
    const name = this.grammar.names.get(given) ?? given;
    const valued = this.grammar.valued.has(name) && next !== undefined;
    this.add(name, valued ? next : undefined);
    return valued ? 2 : 1;
  }

  private add(name: string, value?: string): void {
    const values = this.given.get(name) ?? [];
    this.given.set(name, value === undefined ? values : [...values, value]);
  }
}
