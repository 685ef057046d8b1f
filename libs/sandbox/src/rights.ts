import { union } from './grant-class.js';
import { covers } from './path-check.js';
import type { GrantClass, PathGrant } from './policy.js';

/** What grants give at a path that is free of links; undefined = nothing. */
export function rightsAt(grants: readonly PathGrant[], path: string): GrantClass | undefined {
  const classes = grants.filter((grant) => covers(grant.path, path)).map(({ access }) => access);
  return classes.reduce<GrantClass | undefined>((sum, access) => (sum === undefined ? access : union(sum, access)), undefined);
}

/** Whether tools may connect to the socket at a path that is free of links: what is granted above it says nothing of that. */
export function opensSocket(grants: readonly PathGrant[], path: string): boolean {
  return grants.some((grant) => grant.socket === true && grant.path === path);
}
