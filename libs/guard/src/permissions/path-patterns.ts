import { PATH_PARTS } from '../rules/parse-condition.js';
import type { Section } from '../rules/section.js';

/** Patterns of paths by the names of their sets. */
export type PathPatterns = Map<string, readonly string[]>;

const PATH = /^(?:\/|~\/|~$|\{HOME\}|\{CWD\}|\*\*\/)/;

/** The sets under `paths`. Throws ConfigError for what is no absolute path. */
export function parsePathSets(section: Section): PathPatterns {
  return new Map(section.names().map((name) => [name, patternsOf(section, name)]));
}

/** A path that stands in a condition itself is a set of its own, named as it is written. */
export function addWrittenPaths(condition: Section, paths: PathPatterns): void {
  const written = PATH_PARTS.flatMap((part) => condition.texts(part)).filter((text) => PATH.test(text));
  for (const path of written) paths.set(path, [withHome(path)]);
}

function patternsOf(section: Section, name: string): readonly string[] {
  const patterns = section.texts(name);
  const wrong = patterns.find((pattern) => !PATH.test(pattern));
  if (wrong !== undefined) throw section.error(name, `${wrong} does not begin with /, ~/, {HOME}, {CWD} or **/`);
  return patterns.map(withHome);
}

function withHome(pattern: string): string {
  return pattern.replace(/^~/, '{HOME}');
}
