import { readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from '#config';

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/** The symbolic links that the kernel follows on the way to these absolute paths, the last component included; each once. */
export function linksTo(paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) follow(path, found);
  return [...found];
}

function follow(path: string, found: Set<string>): void {
  let waiting = path.split('/').filter(Boolean);
  let at = '/';
  for (let links = 0; waiting.length > 0 && links <= MAX_LINKS;) {
    const [name = '', ...rest] = waiting;
    const next = join(at, name);
    const target = targetOf(next);
    if (target === undefined) [at, waiting] = [next, rest];
    else {
      found.add(next);
      links += 1;
      [at, waiting] = ['/', [...resolve(dirname(next), target).split('/').filter(Boolean), ...rest]];
    }
  }
}

/** undefined: not a link. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
