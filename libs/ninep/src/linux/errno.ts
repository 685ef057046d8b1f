import { constants } from 'node:os';

const numbers: ReadonlyMap<string, number> = new Map(Object.entries(constants.errno));

/** The number of an errno name; a name that this system does not have counts as EIO. */
export function errnoOf(posix: string): number {
  return numbers.get(posix) ?? constants.errno.EIO;
}
