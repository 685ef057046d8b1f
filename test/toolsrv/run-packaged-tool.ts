import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '#config';
import type { JsonObject } from '#model';

/** The packaged tools, as they lie in this repository. */
export const toolsDirectory = join(packageRoot(), 'config/tools');

export interface ToolRun {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a packaged Node tool by hand: arguments on standard input, in a directory. */
export function runTool(name: string, args: JsonObject, cwd: string): ToolRun {
  const run = spawnSync(process.execPath, [join(toolsDirectory, `${name}.mjs`)], {
    cwd,
    input: `${JSON.stringify(args)}\n`,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: run.status, text: `${run.stdout.toString('utf8')}${run.stderr.toString('utf8')}` };
}
