import { tokenize, type Token } from '../syntax/tokens.js';
import { both, nonEmpty, NOTHING, UNKNOWN, type Proven, type Status } from './proof.js';
import { mayFail } from './redirections.js';
import type { Shell } from './shell.js';

const NAMED = /^(")?\$(?:(\w+)|\{(\w+)(?::?-)?\})(")?$/;
const OF_FILES = /^-[defhLOrswx]$/;
const NO_TEXT = /^(?:""|'')$/;
const CLOSING = new Map([
  ['[', ']'],
  ['[[', ']]'],
  ['test', undefined],
]);

/** What `[ ... ]`, `[[ ... ]]` and `test ...` tell of variables: which are not empty, where it succeeds and where it fails. */
export function testStatus(shell: Shell, text: string): Status {
  const [first, ...rest] = tokenize(text);
  const name = first?.type === 'word' ? first.raw : '';
  if (!CLOSING.has(name) || shell.state.functions.has(name)) return UNKNOWN;
  const clauses = name === '[[' ? conditions(rest) : [rest.filter(({ type }) => type !== 'redirect')];
  const words = clauses.map((tokens) => tokens.flatMap((token) => (token.type === 'word' ? [token.raw] : [])));
  const closing = CLOSING.get(name);
  const whole = clauses.every((tokens) => tokens.every(({ type }) => type === 'word'));
  if (!whole || (closing !== undefined && words.at(-1)?.pop() !== closing)) return UNKNOWN;
  const status = words.map((each) => statusOf(shell, each, name !== '[[')).reduce(conjunction);
  return mayFail(rest) ? { ...status, failure: NOTHING } : status;
}

/** The parts between `&&`. */
function conditions(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const at = tokens.findIndex((token) => token.type === 'operator' && token.raw === '&&');
  return at < 0 ? [tokens] : [tokens.slice(0, at), ...conditions(tokens.slice(at + 1))];
}

function conjunction(one: Status, other: Status): Status {
  return { success: both(one.success, other.success), failure: NOTHING };
}

export function negated({ success, failure }: Status): Status {
  return { success: failure, failure: success };
}

/** A name without quotes is no word where it is empty (`splits`), and then `-n` and its like stand alone and are true. */
function statusOf(shell: Shell, words: readonly string[], splits: boolean): Status {
  const [first = '', second = '', third = ''] = words;
  if (first === '!' && words.length > 1) return negated(statusOf(shell, words.slice(1), splits));
  if (words.length === 1) return { success: proven(shell, first, false), failure: NOTHING };
  if (words.length === 2) return unaryStatus(shell, { operator: first, operand: second, splits });
  return words.length === 3 && NO_TEXT.test(third) ? comparison(second, proven(shell, first, splits)) : UNKNOWN;
}

interface Unary {
  readonly operator: string;
  readonly operand: string;
  readonly splits: boolean;
}

function unaryStatus(shell: Shell, { operator, operand, splits }: Unary): Status {
  if (operator === '-z') return { success: NOTHING, failure: proven(shell, operand, false) };
  return operator === '-n' || OF_FILES.test(operator) ? { success: proven(shell, operand, splits), failure: NOTHING } : UNKNOWN;
}

/** With nothing. */
function comparison(operator: string, value: Proven): Status {
  if (operator === '!=') return { success: value, failure: NOTHING };
  return operator === '=' || operator === '==' ? { success: NOTHING, failure: value } : UNKNOWN;
}

function proven({ environment, session }: Shell, word: string, quoted: boolean): Proven {
  const [, opens, plain, braced, closes] = NAMED.exec(word) ?? [];
  const name = plain ?? braced;
  if (name === undefined || opens !== closes || (quoted && opens === undefined)) return NOTHING;
  return nonEmpty(environment.parameter(name), session.unknowns);
}
