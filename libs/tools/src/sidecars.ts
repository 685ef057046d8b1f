import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#config';

const ENDING = '.yaml';

/** A metadata file and the files that share its stem. `stamp` changes when the file does. */
export interface Sidecar {
  readonly file: string;
  readonly stem: string;
  readonly directory: string;
  readonly beside: readonly string[];
  readonly stamp: string;
}

/** The metadata files of a directory, by name; none for a directory that is not there. `_` and `.` entries are no tools. */
export function sidecarsIn(directory: string): readonly Sidecar[] {
  const names = visibleNames(directory);
  return names
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => {
      const stem = name.slice(0, -ENDING.length);
      const stamp = stampOf(join(directory, name));
      if (stamp === undefined) return [];
      const beside = names.filter((other) => other !== name && (other === stem || other.startsWith(`${stem}.`)));
      return [{ file: join(directory, name), stem, directory, beside, stamp }];
    });
}

function visibleNames(directory: string): readonly string[] {
  const entries = unlessGone((): readonly Dirent[] => readdirSync(directory, { withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => !/^[_.]/.test(entry.name) && !entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Only regular files count: a FIFO would block whoever reads it. */
function stampOf(file: string): string | undefined {
  const facts = unlessGone(() => statSync(file));
  return facts?.isFile() === true ? `${facts.ino}:${facts.mtimeMs}:${facts.size}` : undefined;
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
