/** Processes that a value lists: by patterns of their names, or all of them. */
export interface Processes {
  readonly everything: boolean;
  readonly patterns: readonly string[];
}

/** What is known of a value that the command alone does not tell. */
export interface Unknown {
  /** How it may turn out to be empty: a variable that is not set, a program that prints nothing, or not at all. */
  readonly empty: 'unset' | 'output' | 'never';
  /** It holds what a download gave. */
  readonly download?: boolean;
  /** It was decoded from something that cannot be seen. */
  readonly encoded?: boolean;
  readonly processes?: Processes;
  /** The values that it may have, where all are known. */
  readonly choices?: readonly string[];
  /** It names a file with this content: a process substitution. */
  readonly content?: string;
}

const FIRST = 0xe100;
const COUNT = 0x1700;

/** A value is a string; in it, one character of Unicode's private area stands for each unknown part and for each active wildcard. */
export const MARK = { star: '\ue000', one: '\ue001', set: '\ue002', tree: '\ue003' } as const;

const PRIVATE = /[\ue000-\uf8ff]/g;

/** The unknown parts of one judgement. Past the limit, later ones share a character that tells nothing. */
export class Unknowns {
  private readonly known: Unknown[] = [{ empty: 'never' }];

  add(unknown: Unknown): string {
    if (this.known.length < COUNT) this.known.push(unknown);
    const index = this.known.at(-1) === unknown ? this.known.length - 1 : 0;
    return String.fromCharCode(FIRST + index);
  }

  of(character: string): Unknown | undefined {
    const code = character.charCodeAt(0);
    return code < FIRST ? undefined : this.known[code - FIRST];
  }

  /** The unknown parts of a value. */
  in(value: string): Unknown[] {
    return (value.match(PRIVATE) ?? []).flatMap((character) => this.of(character) ?? []);
  }

  /** The value with each unknown part put as `replace` says. */
  replace(value: string, replace: (unknown: Unknown, character: string) => string): string {
    return value.replace(PRIVATE, (character) => {
      const unknown = this.of(character);
      return unknown === undefined ? character : replace(unknown, character);
    });
  }

  /** One unknown that is all that the parts of `value` are: what a filter makes of it. */
  derive(value: string, more: Partial<Unknown> = {}): string {
    const parts = this.in(value);
    return this.add({
      empty: 'output',
      download: parts.some(({ download }) => download === true),
      encoded: parts.some(({ encoded }) => encoded === true),
      ...processesOf(parts),
      ...more,
    });
  }
}

function processesOf(parts: readonly Unknown[]): Pick<Unknown, 'processes'> {
  const found = parts.flatMap(({ processes }) => processes ?? []);
  if (found.length === 0) return {};
  return { processes: { everything: found.some(({ everything }) => everything), patterns: found.flatMap(({ patterns }) => patterns) } };
}

/** Whether some part of a value is not known. Wildcards are. */
export function isUnknown(value: string): boolean {
  return /[\ue100-\uf8ff]/.test(value);
}

/** Characters of the private area in a command would be taken for marks. */
export function withoutMarks(text: string): string {
  return text.replace(PRIVATE, '\ufffd');
}
