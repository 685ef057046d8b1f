import type { Shell } from './shell.js';

/** The content of a file of which nothing is known but that a .pid file tells its program by its name. */
export function unknownContent(shell: Shell, file: string): string {
  const named = /([\w.-]+)\.pid$/.exec(file)?.[1];
  return shell.unknown({ empty: 'output', ...(named === undefined ? {} : { processes: { everything: false, patterns: [named] } }) });
}
