import { NinepError } from '#ninep';

const OPERATIONS = ['read', 'write', 'rdwr', 'ls', 'stat'] as const;

export interface Request {
  readonly op: (typeof OPERATIONS)[number];
  /** From the root. */
  readonly path: string;
  readonly data: string;
}

/** Whose tool this is: ids, empty when not known. */
export interface Caller {
  readonly agent: string;
  readonly session: string;
}

/** The arguments of a call, whose shape the server has checked. `~agent` and `~session` are the caller's own directories. Throws NinepError. */
export function parseRequest(line: string, caller: Caller): Request {
  const { op, path = '/', data = '' } = JSON.parse(line) as Partial<Record<string, string>>; // toolsrv holds the call against the schema
  const known = OPERATIONS.find((name) => name === op);
  if (known === undefined) throw new NinepError(`illegal argument: op: ${String(op)}`, 'EINVAL');
  return { op: known, path: absolute(path, caller), data };
}

function absolute(path: string, { agent, session }: Caller): string {
  const [, word, rest = ''] = /^\/?~(agent|session)(?=\/|$)(.*)$/.exec(path) ?? [];
  if (word === undefined) return path;
  return word === 'agent' ? `session/${session}/agent/${agent}${rest}` : `session/${session}${rest}`;
}
