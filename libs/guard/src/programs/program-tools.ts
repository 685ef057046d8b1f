import type { Call } from '../shell/shell.js';
import { unknownContent } from '../shell/unknown-content.js';
import type { OptionGrammar, Options } from './options.js';
import { NO_GRAMMAR, parseOptions } from './options.js';

/** What the rule file tells of programs. */
export interface ProgramData {
  readonly options: ReadonlyMap<string, OptionGrammar>;
  readonly wrappers: ReadonlyMap<string, Wrapper>;
  readonly processes: OwnProcesses;
}

/** A program that runs the command in its operands. */
export interface Wrapper {
  readonly options: OptionGrammar;
  /** Operands before the command. */
  readonly skip: number;
  readonly privileged: boolean;
  /** Options with which it runs nothing. */
  readonly unless: readonly string[];
}

export interface OwnProcesses {
  readonly own: readonly string[];
  readonly commandLines: readonly string[];
  readonly general: readonly string[];
}

/** A call whose options are read by the grammar of its program. */
export interface ParsedCall extends Call {
  readonly options: Options;
  readonly data: ProgramData;
}

export type ProgramHandler = (call: ParsedCall) => string;
export type ProgramHandlers = Readonly<Record<string, ProgramHandler>>;

export function parseCall(call: Call, data: ProgramData, stop = false): ParsedCall {
  return { ...call, data, options: parseOptions(call.args, data.options.get(call.name) ?? NO_GRAMMAR, stop) };
}

export function has({ options }: ParsedCall, name: string): boolean {
  return options.given.has(name);
}

export function valueOf({ options }: ParsedCall, name: string): string | undefined {
  return options.given.get(name)?.at(-1);
}

/** What a filter prints that nobody follows: what it was given, changed. Text that was plain is so no more. */
export function filtered({ stdin, shell }: Call): string {
  const { unknowns } = shell.session;
  const text = stdin ?? '';
  return unknowns.derive(text, text.trim() !== '' && unknowns.in(text).length === 0 ? { encoded: true } : {});
}

/** The content of the operands that are files, else standard input. */
export function inputOf(call: Call, files: readonly string[]): string {
  if (files.length === 0) return call.stdin ?? call.shell.unknown({ empty: 'output' });
  return files.map((file) => call.shell.read(file, call.stdin) ?? unknownContent(call.shell, file)).join('');
}

export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}
