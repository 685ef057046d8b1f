import type { GrantClass } from './policy.js';

/** The class with the rights of both. */
export function union(one: GrantClass, other: GrantClass): GrantClass {
  const classes = [one, other];
  const write = classes.some((access) => access.startsWith('rw'));
  const execute = classes.some((access) => access.endsWith('x'));
  if (write) return execute ? 'rwx' : 'rw';
  return execute ? 'rox' : 'ro';
}
