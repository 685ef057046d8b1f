import { dirname } from 'node:path';
import { includes, union } from './grant-class.js';
import type { GrantClass, PathGrant } from './policy.js';

type Rights = Map<string, GrantClass>;

/** Without grants that give nothing beyond those of the directories above them, or of their own path before. Sockets are kept. */
export function effectiveGrants(grants: readonly PathGrant[]): readonly PathGrant[] {
  const directories = grants.filter(({ socket }) => socket !== true);
  const all: Rights = new Map();
  for (const grant of directories) add(all, grant);
  const before: Rights = new Map();
  return grants.filter((grant) => {
    if (grant.socket === true) return true;
    const isNew = !gives(before, grant.path, grant.access);
    add(before, grant);
    return isNew && !above(grant.path).some((directory) => gives(all, directory, grant.access));
  });
}

function add(rights: Rights, { path, access }: PathGrant): void {
  rights.set(path, union(rights.get(path) ?? access, access));
}

function gives(rights: Rights, path: string, access: GrantClass): boolean {
  const known = rights.get(path);
  return known !== undefined && includes(known, access);
}

/** The directories above an absolute path. */
function above(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...above(parent)];
}
