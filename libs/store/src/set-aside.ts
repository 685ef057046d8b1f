import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import type { Log } from '#config';

/** Renames a file that cannot be used to `<name>.bad-<time>`, so that it is neither lost nor looked at again, and says so. */
export function setAside(path: string, why: string, log: Log): void {
  if (!existsSync(path)) return;
  const aside = `${path}.bad-${String(Date.now())}`;
  renameSync(path, aside);
  log.error(`${basename(path)} cannot be used: ${why}; it was set aside as ${basename(aside)}`);
}
