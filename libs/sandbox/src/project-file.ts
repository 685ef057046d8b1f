import { dirname, join } from 'node:path';
import { placeAt, realPathOf } from './path-check.js';

export const PROJECT_FILE = '.ollie-sandbox.yaml';

/**
 * The project's own file: in the working directory, else in the nearest directory above it up to the root of its
 * repository. Above that, and where there is no repository, nothing belongs to the project. The directory is free of links; the
 * file may be one, and goes by its own name: whom another file is trusted for, this project is not.
 */
export function findProjectFile(cwd: string): string | undefined {
  const files = projectDirectories(realPathOf(cwd)).map((directory) => join(directory, PROJECT_FILE));
  return files.find((file) => placeAt(file)?.info.isFile() === true);
}

function projectDirectories(cwd: string): readonly string[] {
  const above: string[] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    above.push(directory);
    if (placeAt(join(directory, '.git')) !== undefined) return above;
    if (directory === dirname(directory)) return [cwd];
  }
}
