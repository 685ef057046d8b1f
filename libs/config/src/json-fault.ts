const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)/y;
const SPACE = /[ \t\n\r]*/y;

/** The line, from 1, in which a text stops being JSON; undefined for JSON. Says nothing of what stands there: it may be a key. */
export function jsonFaultLine(text: string): number | undefined {
  const at = new Scanner(text).fault();
  return at === undefined ? undefined : text.slice(0, at).split('\n').length;
}

type Token = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'word';

/** Thrown at what cannot stand there. */
class Fault extends Error {}

class Scanner {
  private position = 0;
  /** Where the last token began. */
  private start = 0;

  constructor(private readonly text: string) {}

  fault(): number | undefined {
    try {
      this.value(this.next());
      return this.afterSpace(this.position) === this.text.length ? undefined : this.afterSpace(this.position);
    } catch (error) {
      if (error instanceof Fault) return this.start;
      throw error;
    }
  }

  private value(token: Token): void {
    if (token === '{') this.items('}', () => this.member());
    else if (token === '[') this.items(']', (first) => this.value(first));
    else if (token !== 'text' && token !== 'word') throw new Fault();
  }

  private items(end: '}' | ']', item: (first: Token) => void): void {
    let token = this.next();
    if (token === end) return;
    for (;;) {
      if (end === '}' && token !== 'text') throw new Fault();
      item(token);
      token = this.next();
      if (token === end) return;
      if (token !== ',') throw new Fault();
      token = this.next();
    }
  }

  /** Behind its key. */
  private member(): void {
    if (this.next() !== ':') throw new Fault();
    this.value(this.next());
  }

  private next(): Token {
    this.start = this.afterSpace(this.position);
    TOKEN.lastIndex = this.position;
    const [whole, mark, text] = TOKEN.exec(this.text) ?? [];
    if (whole === undefined) throw new Fault();
    this.position += whole.length;
    return mark === undefined ? (text === undefined ? 'word' : 'text') : (mark as Token); // one of the characters in the pattern
  }

  private afterSpace(position: number): number {
    SPACE.lastIndex = position;
    return position + (SPACE.exec(this.text)?.[0].length ?? 0);
  }
}
