import { executes, writes } from './grant-class.js';
import { covers, placeAt, realPathOf } from './path-check.js';
import type { ExplainedPolicy, GrantClass } from './policy.js';
import { opensSocket, rightsAt } from './rights.js';
import { closureOf } from './withhold.js';

/** What the user may do with a path, the sandbox apart. */
export interface UserRights {
  readonly read: boolean;
  readonly write: boolean;
  readonly execute: boolean;
}

/**
 * What the policy has against a path, and which key says so: one clause that begins with the path. undefined when the policy
 * lets tools do all that `userRights` allow. Says only what the policy says: whether it was the policy that refused, it cannot
 * know. Nothing is asked of what is Ollie's own, the mount above all: it may be served by who waits for us.
 */
export function policyOn(policy: ExplainedPolicy, path: string, userRights: (path: string) => UserRights): string | undefined {
  const closure = closureOf(path, policy.closed);
  if (closure !== undefined && closure.most === undefined) return `${path} is closed to tools (${closure.why}), whatever the lists say`;
  const place = placeAt(path);
  if (place?.info.isSocket() === true) return onSocket(policy, path, place.path);
  const real = place?.path ?? realPathOf(path);
  const shown = real === path ? path : `${path} (${real})`;
  const access = rightsAt(policy.grants, real);
  const around = policy.closed.find((other) => other.most === undefined && covers(real, other.path));
  if (around !== undefined && access === undefined) return `${shown} holds ${around.path} (${around.why}) and is granted only around it`;
  const most = closureOf(real, policy.closed)?.most ?? 'rwx';
  return clauseOn(shown, access, lacking({ access, most, rights: userRights(real) }));
}

/** Whether a cell shows what lies at a path. */
export function isVisible({ grants }: ExplainedPolicy, path: string): boolean {
  return rightsAt(grants, realPathOf(path)) !== undefined;
}

function onSocket({ grants }: ExplainedPolicy, path: string, real: string): string | undefined {
  return opensSocket(grants, real) ? undefined : `${path} is a socket; network.unix would let tools connect to it`;
}

interface Compared {
  readonly access: GrantClass | undefined;
  readonly most: GrantClass;
  readonly rights: UserRights;
}

/** What a key would help with: the user may, tools may not, and nothing else forbids it. */
function lacking({ access, most, rights }: Compared): readonly string[] {
  const execute = rights.execute && executes(most) && (access === undefined || !executes(access));
  return [
    ...(access === undefined && rights.read ? ['filesystem.ro would let tools read it'] : []),
    ...(rights.write && writes(most) && (access === undefined || !writes(access)) ? ['filesystem.rw would let tools write it'] : []),
    ...(execute ? [`filesystem.${access === 'rw' ? 'rwx' : 'rox'} would let tools execute it`] : []),
  ];
}

function clauseOn(path: string, access: GrantClass | undefined, lacks: readonly string[]): string | undefined {
  if (lacks.length === 0) return undefined;
  return `${path} is ${access ?? 'not'} in the policy; ${lacks.join(', ')}`;
}
