import { effectiveGrants } from './effective-grants.js';
import { RunOrderError } from './errors.js';
import type { SandboxPolicy } from './policy.js';

/**
 * What one run of the helper needs. `policy` undefined = run without any enforcement (--yolo). `cell`: in private
 * namespaces, which this host must have; of no meaning without a policy.
 */
export interface RunOrder {
  readonly policy: SandboxPolicy | undefined;
  readonly cell: boolean;
  /** The directory that a cell has as its /tmp; absent: one in memory, which ends with the cell. */
  readonly tmp?: string;
  /** The program (looked up in env.PATH when it has no slash) and its arguments. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the tool. */
  readonly env: Readonly<Record<string, string>>;
  /** TERM to KILL, milliseconds, at most one hour. */
  readonly graceMs: number;
  /** A Unix socket that the tool finds connected as its descriptor 3, wherever it lies. Only for a run of its own. */
  readonly door?: string;
}

/** The order as the helper reads it on descriptor 3 (native/README.md). Throws RunOrderError for a NUL byte and for what the helper would refuse. */
export function encodeRunOrder(order: RunOrder): Uint8Array {
  refuseIncomplete(order);
  const door = order.door === undefined ? [] : [`door=${order.door}`];
  return encoded([...policyRecords(order.policy, order.cell), ...tmpRecord(order), ...door, ...runRecords(order)]);
}

/** The same for a process of a cell that was made with `encodeCellOrder`: policy and grants are the cell's. */
export function encodeInnerOrder(order: RunOrder): Uint8Array {
  refuseIncomplete(order);
  return encoded(['policy=cell', ...runRecords(order)]);
}

/**
 * What makes the cell of an order. Equal bytes: the same cell; so what a tool is granted for itself, and has by the policy
 * anyway, is left out. Throws RunOrderError.
 */
export function encodeCellOrder(order: RunOrder): Uint8Array {
  refuseIncomplete(order);
  const policy = order.policy && { ...order.policy, grants: effectiveGrants(order.policy.grants) };
  return encoded([...policyRecords(policy, true), ...tmpRecord(order), `cwd=${order.cwd}`]);
}

function tmpRecord({ cell, policy, tmp }: RunOrder): readonly string[] {
  return cell && policy !== undefined && tmp !== undefined ? [`tmp=${tmp}`] : [];
}

function runRecords(order: RunOrder): readonly string[] {
  return [
    `cwd=${order.cwd}`,
    `grace=${Math.min(Math.max(Math.round(order.graceMs), 0), 3_600_000)}`,
    ...Object.entries(order.env).map(([name, value]) => `env=${variable(name, value)}`),
    ...order.argv.map((argument) => `arg=${argument}`),
  ];
}

function encoded(records: readonly string[]): Uint8Array {
  return Buffer.from(['version=1', ...records, 'end='].map(terminated).join(''), 'utf8');
}

function policyRecords(policy: SandboxPolicy | undefined, cell: boolean): readonly string[] {
  if (!policy) return ['policy=none'];
  return [
    'policy=enforce',
    `best_effort=${policy.bestEffort ? 1 : 0}`,
    `network=${policy.network ? 1 : 0}`,
    ...(policy.grants.some(({ socket }) => socket === true) ? ['unix=1'] : []),
    ...policy.grants.map(({ access, path }) => `${access}=${path}`),
    ...(cell ? ['cell=1', ...policy.links.map((path) => `link=${path}`)] : []),
  ];
}

function refuseIncomplete({ argv, cwd, policy }: RunOrder): void {
  if (!argv[0]) throw new RunOrderError('no program to run');
  if (!cwd.startsWith('/')) throw new RunOrderError(`working directory is not absolute: ${cwd}`);
  const relative = policy?.grants.find(({ path }) => !path.startsWith('/'));
  if (relative) throw new RunOrderError(`granted path is not absolute: ${relative.path}`);
}

function variable(name: string, value: string): string {
  if (name === '' || name.includes('=')) throw new RunOrderError(`not a variable name: ${name}`);
  return `${name}=${value}`;
}

/** NUL ends a record, so one inside would begin a record of the sender's choice. */
function terminated(record: string): string {
  if (record.includes('\0')) throw new RunOrderError(`NUL byte in ${record.slice(0, record.indexOf('='))}`);
  return `${record}\0`;
}
