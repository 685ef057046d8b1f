import { basename, dirname, join } from 'node:path';
import { findHelper } from './helper.js';
import { realPathOf } from './path-check.js';
import type { ClosedPlace, GrantClass, PathVariables } from './policy.js';

/**
 * What holds tools, or speaks for the user, is not theirs to touch whatever a policy says: Ollie's configuration, data,
 * cache, namespace and mount; the packaged configuration and the helper can be read but not written. Below them, the
 * directories of tools, skills and prompts may be granted so far as their use asks. The private TMPDIR may lie anywhere.
 */
export function ownPlaces(variables: PathVariables, packaged?: string): readonly ClosedPlace[] {
  const at = (paths: readonly (string | undefined)[], most: GrantClass | undefined, why: string): readonly ClosedPlace[] =>
    paths.filter(isAbsolute).map((path) => ({ path: realPathOf(path), most, why }));
  const { HOME } = variables;
  const cache = variables['XDG_CACHE_HOME'] || (HOME && join(HOME, '.cache'));
  const runtime = variables['XDG_RUNTIME_DIR'];
  return [
    ...at([variables['OLLIE_CFG_PATH']], undefined, "Ollie's configuration").map(holdingTools),
    ...at([variables['OLLIE_DATA_PATH']], undefined, "Ollie's data").map(holdingTools),
    ...at([cache && join(cache, 'ollie')], undefined, "Ollie's cache"),
    ...at([runtime && join(runtime, 'ollie'), variables['NAMESPACE']], undefined, "Ollie's namespace"),
    ...mountAt(variables['OLLIE']),
    ...at([packaged, packaged && findHelper()], 'rox', "Ollie's installation"),
    ...at(listOf(variables['OLLIE_PROMPTS_PATH']), 'rox', 'a directory of prompts'),
    ...at(listOf(variables['OLLIE_SKILLS_PATH']), 'ro', 'a directory of skills'),
    ...at(listOf(variables['OLLIE_TOOLS_PATH']), 'rox', 'a directory of tools'),
    ...at([variables['TMPDIR']], 'rwx', 'the private TMPDIR'),
  ];
}

/** Nothing is asked of the mount itself: its server may be waiting for us. */
function mountAt(path: string | undefined): readonly ClosedPlace[] {
  if (!isAbsolute(path)) return [];
  return [{ path: join(realPathOf(dirname(path)), basename(path)), most: undefined, why: "Ollie's mount" }];
}

const holdingTools = (place: ClosedPlace): ClosedPlace => ({ ...place, holdsTools: true });

function listOf(value: string | undefined): readonly string[] {
  return (value ?? '').split(':');
}

function isAbsolute(path: string | undefined): path is string {
  return path !== undefined && path.startsWith('/') && path !== '/';
}
