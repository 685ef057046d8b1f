import { constants } from 'node:os';

/** One line of a transcript. `wire` names the connection it is about. */
export interface Step {
  readonly line: number;
  readonly wire: string;
  readonly text: string;
  readonly action: 'send' | 'expect' | 'expect-next' | 'hangup' | 'closed' | 'quiet';
  readonly message: Message;
}

export type Value = number | string | Uint8Array | typeof ANY | readonly Value[] | Fields;
export interface Fields {
  readonly [name: string]: Value;
}
/** A message as it is written: `raw` has its bytes, any other type its fields. */
export interface Message {
  readonly type: string;
  readonly fields: Fields;
}

export const ANY = Symbol('any value');

const numbers: ReadonlyMap<string, number> = new Map([
  ['NOTAG', 0xffff],
  ['NOFID', 0xffffffff],
  ['OREAD', 0],
  ['OWRITE', 1],
  ['ORDWR', 2],
  ['OEXEC', 3],
  ['OTRUNC', 0x10],
  ['ORCLOSE', 0x40],
  ['DMDIR', 0x80000000],
  ['NO_UID', 0xffffffff],
  ...Object.entries(constants.errno),
]);
const actions: ReadonlyMap<string, Step['action']> = new Map([
  ['->', 'send'],
  ['<-', 'expect'],
  ['<=', 'expect-next'],
  ['hangup', 'hangup'],
  ['closed', 'closed'],
  ['quiet', 'quiet'],
]);
const TOKEN = /\s+|'(?:[^'\\]|\\.)*'(?:x\d+)?|[[\]()]|[^\s'[\]()]+/gy;

/** Reads a transcript; throws with the line number where it cannot. */
export function parseTranscript(text: string): readonly Step[] {
  const steps: Step[] = [];
  let wire = 'a';
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const [word = '', ...rest] = line.split(/\s+/);
    if (word === 'on') wire = rest.join(' ');
    else steps.push({ line: index + 1, wire, text: line, ...parseStep(word, line.slice(word.length), index + 1) });
  });
  return steps;
}

function parseStep(word: string, rest: string, line: number): Pick<Step, 'action' | 'message'> {
  const action = actions.get(word);
  if (action === undefined) throw new Error(`line ${line}: unknown word ${word}`);
  const [type = '', ...tokens] = tokensOf(rest);
  if (type === 'raw') return { action, message: { type, fields: { bytes: Buffer.from(tokens.join(''), 'hex') } } };
  return { action, message: { type, fields: new Tokens(tokens).fields() } };
}

function tokensOf(text: string): string[] {
  return (text.match(TOKEN) ?? []).filter((token) => token.trim() !== '');
}

class Tokens {
  #at = 0;
  constructor(private readonly tokens: readonly string[]) {}

  /** `name value name value ...` up to the end or a closing bracket. */
  fields(): Fields {
    const fields: Record<string, Value> = {};
    for (let name = this.#next(); name !== undefined && name !== ')'; name = this.#next()) fields[name] = this.#value();
    return fields;
  }

  #next(): string | undefined {
    return this.tokens[this.#at++];
  }

  #value(): Value {
    const token = this.#next();
    if (token === undefined) throw new Error('a value is missing');
    if (token === '[') return this.#list();
    return token === '(' ? this.fields() : scalar(token);
  }

  #list(): readonly Value[] {
    const values: Value[] = [];
    while (this.tokens[this.#at] !== ']') values.push(this.#value());
    this.#at++;
    return values;
  }
}

function scalar(token: string): Value {
  if (token === '*') return ANY;
  if (token.startsWith("'")) return quoted(token);
  const sum = token.split('|').map((part) => numbers.get(part) ?? Number(part));
  return sum.some(Number.isNaN) ? token : sum.reduce((total, part) => total + part, 0);
}

/** `'text'`, with \n, \t, \\ and \'; `'text'x100` repeats it. */
function quoted(token: string): string {
  const end = token.lastIndexOf("'");
  const text = token.slice(1, end).replace(/\\(.)/g, (_all, letter: string) => ({ n: '\n', t: '\t', 0: '\0' })[letter] ?? letter);
  return end === token.length - 1 ? text : text.repeat(Number(token.slice(end + 2)));
}
