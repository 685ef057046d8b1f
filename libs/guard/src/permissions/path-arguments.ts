import { resolvePath } from '../shell/paths.js';
import type { GuardContext } from '../verdict.js';
import type { JudgedCall } from './permission-rule.js';

/** The names of arguments that are paths: `path`, `file_path`, `filePath`, `paths`. */
const NAME = /(?:^|_)paths?$|[a-z]Paths?$/;

/** The paths among the arguments of a call, made absolute from `cwd`; `~` is the home directory, as the packaged tools take it. Links are not followed. */
export function pathArguments({ args }: JudgedCall, { cwd, home }: GuardContext): readonly string[] {
  const values = Object.entries(args).flatMap(([name, value]) => (NAME.test(name) ? value : []));
  return values
    .filter((value) => typeof value === 'string')
    .map((path) =>
      resolvePath(
        cwd,
        path.replace(/^~(?=\/|$)/, () => home),
      ),
    );
}
