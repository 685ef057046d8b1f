import type { Statement } from '../syntax/statement.js';
import { both, NOTHING, UNKNOWN, type Proof, type Proven, type Status } from './proof.js';

/** What a shell has at one moment. A subshell works on a copy. */
export class ShellState {
  variables = new Map<string, string>();
  arrays = new Map<string, readonly string[]>();
  functions = new Map<string, Statement>();
  previousDirectory: string | undefined;
  /** `$1` and on; undefined where they are not known. */
  positional: readonly string[] | undefined;
  /** Values that are not empty here, though they might be elsewhere. */
  proven: Proven = NOTHING;
  /** What the last statement tells by its success or failure. */
  status: Status = UNKNOWN;

  constructor(public directory: string) {}

  copy(): ShellState {
    const copy = new ShellState(this.directory);
    copy.variables = new Map(this.variables);
    copy.arrays = new Map(this.arrays);
    copy.functions = new Map(this.functions);
    copy.previousDirectory = this.previousDirectory;
    copy.positional = this.positional;
    copy.proven = this.proven;
    return copy;
  }

  prove(proof: Proof): void {
    this.proven = both(this.proven, proof) ?? this.proven;
  }
}
