import { visible } from '#config';
import type { ExplainedPolicy } from '#sandbox';

/** The temporary directory is another one for each session, so it goes by its variable. */
const TMPDIR = '{TMPDIR}';

/** One line a fact, three columns: what, value, where it was decided. */
export function policyText(policy: ExplainedPolicy, tmp: string): string {
  const { sources, grants, env, envOrigins, closed, notes } = named(policy, tmp);
  const lines = [
    ...sources.map(({ role, file, effect }) => ['file', file, `${role}, ${effect}`]),
    ...switchesOf(policy).map(({ key, value, origin }) => [key, String(value), origin]),
    ...grants.map(({ access, path, origin, socket }) => [socket === true ? 'unix' : access, path, origin]),
    ...closed.map(({ path, most, why }) => [most === undefined ? 'closed' : `max ${most}`, path, why]),
    ...env.map((name) => ['env', name, envOrigins[name] ?? '']),
    ...notes.map((note) => ['note', note]),
  ];
  const widths = [0, 1].map((column) =>
    Math.min(48, Math.max(...lines.filter((line) => line.length > 2).map((line) => line[column]?.length ?? 0))),
  );
  return lines
    .map((line) => `${line.map((cell, column) => visible(cell).padEnd(line.length > column + 1 ? (widths[column] ?? 0) : 0)).join('  ')}\n`)
    .join('');
}

export function policyJson(policy: ExplainedPolicy, tmp: string): string {
  const { sources, grants, env, envOrigins, closed, notes } = named(policy, tmp);
  const switches = Object.fromEntries(switchesOf(policy).map(({ key, value, origin }) => [key, { value, origin }]));
  const names = env.map((name) => ({ name, origin: envOrigins[name] ?? '' }));
  const places = closed.map(({ path, most, why }) => ({ path, most: most ?? 'none', why }));
  return `${JSON.stringify({ sources, ...switches, grants, env: names, closed: places, notes }, undefined, 2)}\n`;
}

function switchesOf({ bestEffort, network, ldd, addExec, cell, origins }: ExplainedPolicy) {
  return [
    { key: 'best_effort', value: bestEffort, origin: origins.bestEffort },
    { key: 'network', value: network, origin: origins.network },
    { key: 'ldd', value: ldd, origin: origins.ldd },
    { key: 'add_exec', value: addExec, origin: origins.addExec },
    { key: 'cell', value: cell, origin: origins.cell },
  ];
}

function named(policy: ExplainedPolicy, tmp: string): ExplainedPolicy {
  const rename = (text: string): string => text.replaceAll(tmp, TMPDIR);
  return {
    ...policy,
    grants: policy.grants.map((grant) => ({ ...grant, path: rename(grant.path) })),
    closed: policy.closed.filter(({ path }) => path !== tmp),
    notes: policy.notes.map(rename),
  };
}
