import type { GrantClass } from './policy.js';

/** The class with the rights of both. */
export function union(one: GrantClass, other: GrantClass): GrantClass {
  return classOf(writes(one) || writes(other), executes(one) || executes(other));
}

/** The class with the rights that both have. */
export function meet(one: GrantClass, other: GrantClass): GrantClass {
  return classOf(writes(one) && writes(other), executes(one) && executes(other));
}

/** True when `access` has every right of `wanted`. */
export function includes(access: GrantClass, wanted: GrantClass): boolean {
  return union(access, wanted) === access;
}

export const writes = (access: GrantClass): boolean => access.startsWith('rw');
export const executes = (access: GrantClass): boolean => access.endsWith('x');

function classOf(write: boolean, execute: boolean): GrantClass {
  if (write) return execute ? 'rwx' : 'rw';
  return execute ? 'rox' : 'ro';
}
