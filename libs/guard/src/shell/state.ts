import type { Statement } from '../syntax/statement.js';

/** What a shell has at one moment. A subshell works on a copy. */
export class ShellState {
  variables = new Map<string, string>();
  arrays = new Map<string, readonly string[]>();
  functions = new Map<string, Statement>();
  previousDirectory: string | undefined;
  /** `$1` and on; undefined where they are not known. */
  positional: readonly string[] | undefined;

  constructor(public directory: string) {}

  copy(): ShellState {
    const copy = new ShellState(this.directory);
    copy.variables = new Map(this.variables);
    copy.arrays = new Map(this.arrays);
    copy.functions = new Map(this.functions);
    copy.previousDirectory = this.previousDirectory;
    copy.positional = this.positional;
    return copy;
  }
}
