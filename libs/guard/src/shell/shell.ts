import type { Circumstances, Fact } from '../rules/fact.js';
import type { Statement } from '../syntax/statement.js';
import type { Environment } from '../words/environment.js';
import type { Unknown } from '../words/unknown.js';
import type { ShellContext } from './context.js';
import type { Session } from './session.js';
import type { ShellState } from './state.js';

/** How a command treats what stood in a file that it writes. */
export type WriteMode = 'replace' | 'append' | 'edit';

export interface ScriptInput {
  readonly stdin?: string | undefined;
  readonly positional?: readonly string[] | undefined;
}

/** A shell that runs nothing: it follows what a script would do and reports it. Outputs are what a command would print, as far as that is known. */
export interface Shell {
  readonly session: Session;
  readonly programs: Programs;
  readonly state: ShellState;
  readonly context: ShellContext;
  readonly environment: Environment;
  /** This shell's state, seen from another place. */
  within(change: Partial<ShellContext>): Shell;
  /** A copy of this shell. */
  subshell(change?: Partial<ShellContext>): Shell;
  run(statements: readonly Statement[], stdin?: string): string;
  /** Runs shell text in this very shell, as eval does. Nested too deep, it is not looked at. */
  script(text: string, stdin?: string): string;
  /** Runs shell text as a program of its own, as `sh -c` does. */
  program(text: string, input: ScriptInput): string;
  /** Runs a command given as words. */
  arguments(words: readonly string[], stdin?: string): string;
  resolve(path: string): string;
  report(fact: Fact, circumstances?: Circumstances): void;
  /** Reports an effect on a path, once for each thing that the path may be. */
  reportPath(fact: Fact, path: string): void;
  write(path: string, mode: WriteMode, content: string): void;
  /** The same, done by the shell itself for a redirection. */
  redirect(path: string, mode: WriteMode, content: string): void;
  /** What a file holds, as far as this command wrote it or connected it; undefined if that is not known. */
  read(path: string, stdin: string | undefined): string | undefined;
  unknown(unknown: Unknown): string;
}

/** A command about to run. */
export interface Call {
  /** Without its directory. */
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
  readonly shell: Shell;
}

/** Reports what a command does; gives what it prints. */
export type Handler = (call: Call) => string;

/** The programs that a shell can start. */
export interface Programs {
  run(call: Call): string;
  /** Runs a file whose content this command wrote. */
  runFile(call: Call, content: string): string;
  /** Reports code that comes from where nobody could look. */
  reportSource(shell: Shell, code: string): void;
}
