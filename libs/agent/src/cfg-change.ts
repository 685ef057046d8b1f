import { IllegalInputError, isName, ReadOnlyError, unescapeField } from '#model';
import { CFG_KEYS, demandEdit, type Edit } from './cfg-keys.js';

const READ_ONLY: readonly string[] = ['state', 'action', 'session', 'id'];

/** What the lines of one write to `cfg` ask for, together. */
export interface CfgChange {
  readonly name: string | undefined;
  /** As written: absolute, below `~`, or seen from where the agent is. Empty = where it was made. */
  readonly cwd: string | undefined;
  readonly profile: string | undefined;
  /** In the order of the lines. */
  readonly edits: readonly Edit[];
  readonly needsIdle: boolean;
}

/** Throws IllegalInputError (argument, key, value, name) and ReadOnlyError. */
export function parseCfgLines(lines: readonly string[]): CfgChange {
  const pairs = lines.map(parseLine);
  const last = new Map(pairs);
  const edits = pairs.flatMap(([key, value]) => editOf(key, value));
  const needsIdle = pairs.some(([key]) => key === 'agent' || key === 'remote' || CFG_KEYS.get(key)?.needsIdle === true);
  return { name: last.get('name'), cwd: last.get('cwd'), profile: last.get('agent'), edits, needsIdle };
}

function parseLine(line: string): readonly [key: string, value: string] {
  const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined) throw new IllegalInputError('argument', line.trim());
  return [key, unescapeField(value.trim())];
}

/** Undefined for the keys that need more than the agent's own values. */
function editOf(key: string, value: string): readonly Edit[] {
  if (READ_ONLY.includes(key)) throw new ReadOnlyError(key);
  if (key === 'name') return checked(isName(value), () => new IllegalInputError('name', value));
  if (key === 'remote') return checked(value === '', () => new IllegalInputError('value', `remote=${value}`));
  if (key === 'cwd' || key === 'agent') return [];
  const known = CFG_KEYS.get(key);
  if (!known) throw new IllegalInputError('key', key);
  return [demandEdit(key, value, known.edit(value))];
}

function checked(isRight: boolean, complaint: () => Error): readonly Edit[] {
  if (!isRight) throw complaint();
  return [];
}
