import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether all these programs are on the PATH or, as programs of administrators, in /usr/sbin. */
export function hasPrograms(...programs: readonly string[]): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return programs.every((program) => folders.some((folder) => existsSync(join(folder, program))));
}

/** `describe`, or its skipping twin where one of the programs is missing; the reporter counts a skipped test as failed in CI. */
export function describeWith(...programs: readonly string[]): jest.Describe {
  return hasPrograms(...programs) ? describe : describe.skip;
}
