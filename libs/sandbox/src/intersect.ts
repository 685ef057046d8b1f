import { isSecretName } from '#config';
import { meet, writes } from './grant-class.js';
import { covers } from './path-check.js';
import type { PathGrant } from './policy.js';

/** What both lists grant. Of two nested paths the deeper one is in both, with the rights that both give it. To a socket one connects or does not: it needs all. */
export function intersectGrants(base: readonly PathGrant[], limit: readonly PathGrant[]): readonly PathGrant[] {
  return base.flatMap((grant) =>
    limit.flatMap((other) => {
      const path = covers(other.path, grant.path) ? grant.path : covers(grant.path, other.path) ? other.path : undefined;
      const access = meet(grant.access, other.access);
      if (path === undefined || (grant.socket === true && !writes(access))) return [];
      return [{ ...grant, path, access, origin: `${grant.origin}, ${other.origin}` }];
    }),
  );
}

/** Without the sockets that the limit does not list. */
export function intersectSockets(base: readonly PathGrant[], limit: readonly PathGrant[]): readonly PathGrant[] {
  return base.filter(({ socket, path }) => socket !== true || limit.some((other) => other.path === path));
}

/** The names that both lists let pass. A `PREFIX_*` never stood for names of secrets, so it does not let one through that the other list names. */
export function intersectNames(base: readonly string[], limit: readonly string[]): readonly string[] {
  const narrower = base.flatMap((name) => limit.flatMap((other) => deeperName(name, other)));
  return [...new Set(narrower)];
}

function deeperName(one: string, other: string): readonly string[] {
  if (one === other) return [one];
  if (stands(one, other)) return [other];
  return stands(other, one) ? [one] : [];
}

function stands(pattern: string, name: string): boolean {
  return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)) && !isSecretName(name);
}
