import { illegalName } from './errors.js';

/** Throws NinepError unless `name` can be one step of a walk; `.` and `..` can. */
export function checkStep(name: string): void {
  if (name === '' || name.includes('/') || name.includes('\0')) throw illegalName(name);
}

/** Throws NinepError unless a file could be called `name`. */
export function checkFileName(name: string): void {
  checkStep(name);
  if (name === '.' || name === '..') throw illegalName(name);
}
