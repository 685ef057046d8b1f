import type { Circumstances, Fact } from '../rules/fact.js';
import type { Statement } from '../syntax/statement.js';
import type { Unknown } from '../words/unknown.js';
import type { ShellContext } from './context.js';
import { possibilities, resolvePath } from './paths.js';
import { runStatement } from './run-statement.js';
import { NOTHING } from './proof.js';
import type { Session } from './session.js';
import { ShellEnvironment } from './shell-environment.js';
import type { ShellState } from './state.js';
import { runArguments } from './run-arguments.js';
import type { Programs, ScriptInput, Shell, WriteMode } from './shell.js';

const MAX_DEPTH = 24;

/** A shell that runs nothing: it follows what a script would do and reports it. Outputs are what a command would print, as far as that is known. */
export class Interpreter implements Shell {
  private words: ShellEnvironment | undefined;

  constructor(
    readonly session: Session,
    readonly programs: Programs,
    readonly state: ShellState,
    readonly context: ShellContext,
  ) {}

  get environment(): ShellEnvironment {
    this.words ??= new ShellEnvironment(this.session, this.state, {
      substitute: (script) => this.subshell().script(script).replace(/\n+$/, ''),
      connect: (script, direction) => this.connect(script, direction),
    });
    return this.words;
  }

  /** This shell's state, seen from another place. */
  within(change: Partial<ShellContext>): Shell {
    return new Interpreter(this.session, this.programs, this.state, { ...this.context, ...change });
  }

  subshell(change: Partial<ShellContext> = {}): Shell {
    return new Interpreter(this.session, this.programs, this.state.copy(), { ...this.context, ...change });
  }

  run(statements: readonly Statement[], stdin?: string): string {
    let output = '';
    for (const statement of statements) output += runStatement(this, statement, stdin);
    return this.session.bounded(output);
  }

  /** Runs shell text in this very shell, as eval does. Nested too deep, it is not looked at. NULs in it do not count. */
  script(text: string, stdin?: string): string {
    if (this.context.depth >= MAX_DEPTH) return this.pass();
    const { statements } = this.session.parse(text.replaceAll('\0', ''));
    return this.within({ depth: this.context.depth + 1, outermost: false }).run(statements, stdin);
  }

  /** Runs shell text as a program of its own, as `sh -c` does. */
  program(text: string, { stdin, positional }: ScriptInput): string {
    const child = this.subshell();
    child.state.positional = positional;
    child.state.functions.clear();
    child.state.proven = NOTHING; // it may have another environment, and what is not exported is not in it
    return child.script(text, stdin);
  }

  /** Runs a command given as words. */
  arguments(words: readonly string[], stdin?: string): string {
    this.session.step();
    if (this.context.depth >= MAX_DEPTH) return this.pass();
    return runArguments(this.within({ depth: this.context.depth + 1 }), words, stdin);
  }

  resolve(path: string): string {
    return resolvePath(this.state.directory, path);
  }

  report(fact: Fact, circumstances: Circumstances = this.context): void {
    this.session.parts.report(fact, circumstances);
  }

  /** Reports an effect on a path, once for each thing that the path may be. */
  reportPath(fact: Fact, path: string): void {
    const { proven } = this.state;
    const settled = proven.size === 0 ? path : this.session.unknowns.replace(path, (_, mark) => proven.get(mark) ?? mark);
    for (const { text, certainty } of possibilities(settled, this.session.unknowns)) {
      this.report({ ...fact, path: this.resolve(text), certainty });
    }
  }

  write(path: string, mode: WriteMode, content: string): void {
    this.put(path, content, { mode, by: 'program' });
  }

  redirect(path: string, mode: WriteMode, content: string): void {
    this.put(path, content, { mode, by: 'shell' });
  }

  /** What a file holds, as far as this command wrote it or connected it; undefined if that is not known. */
  read(path: string, stdin: string | undefined): string | undefined {
    if (path === '-' || path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0') return stdin;
    if (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/')) return this.unknown({ empty: 'output', download: true });
    if (path === '/dev/null') return '';
    const connected = path.length === 1 ? this.session.unknowns.of(path)?.content : undefined;
    return connected ?? this.session.files.get(this.resolve(path));
  }

  unknown(unknown: Unknown): string {
    return this.session.unknowns.add(unknown);
  }

  private put(path: string, content: string, how: { readonly mode: WriteMode; readonly by: string }): void {
    this.reportPath({ effect: 'write', attributes: { ...how, content: content.trim() === '' ? 'empty' : 'some' } }, path);
    const sink = this.session.sinks.get(path);
    if (sink !== undefined) {
      this.subshell().script(sink, content);
      return;
    }
    const file = this.resolve(path);
    const before = how.mode === 'append' ? (this.session.files.get(file) ?? '') : '';
    this.session.files.set(file, this.session.bounded(before + content));
  }

  /** Nested too deep: nobody looks at it. */
  private pass(): string {
    this.session.hasUnseen = true;
    this.report({ effect: 'unseen' });
    return '';
  }

  private connect(script: string, direction: string): string {
    if (direction === '<') return this.unknown({ empty: 'never', content: this.subshell().script(script) });
    const name = this.unknown({ empty: 'never' });
    this.session.sinks.set(name, script);
    return name;
  }
}
