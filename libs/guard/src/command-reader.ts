import { MAX_COMMAND, TooCostly } from './errors.js';
import { ProgramTable } from './programs/program-table.js';
import type { ProgramData } from './programs/program-tools.js';
import type { Circumstances, Fact } from './rules/fact.js';
import { Interpreter } from './shell/interpreter.js';
import { Session } from './shell/session.js';
import { ShellState } from './shell/state.js';
import { BashGrammar } from './syntax/bash-grammar.js';
import type { GuardContext } from './verdict.js';
import { withoutMarks } from './words/unknown.js';

/** How far a command was read: all of it, all but what does not parse, up to a NUL as programs do, or not to its end. */
export type ReadEnd = 'whole' | 'broken' | 'cut' | TooCostly['limit'];

/** Follows commands as a shell would, and tells what they would do. Runs nothing. */
export class CommandReader {
  private readonly programs: ProgramTable;

  private constructor(
    private readonly grammar: BashGrammar,
    data: ProgramData,
  ) {
    this.programs = new ProgramTable(data);
  }

  static async load(data: ProgramData): Promise<CommandReader> {
    return new CommandReader(await BashGrammar.load(), data);
  }

  /** Never throws for any command; takes less than a second. */
  read(command: string, context: GuardContext, report: (fact: Fact, where: Circumstances) => void): ReadEnd {
    if (command.length > MAX_COMMAND) return 'too-large';
    try {
      const session = new Session({ grammar: this.grammar, home: context.home, report });
      const broken = this.follow(withoutMarks(command), context, session);
      if (session.hasUnseen) return 'too-complex';
      if (command.includes('\0')) return 'cut';
      return broken ? 'broken' : 'whole';
    } catch (error) {
      const limit = costOf(error);
      if (limit === undefined) throw error;
      return limit;
    }
  }

  private follow(command: string, { cwd, stdin }: GuardContext, session: Session): boolean {
    const outside = { span: { start: 0, end: command.length }, privileged: false, remote: false };
    const context = { ...outside, depth: 0, forks: 0, conditions: 0, active: [], outermost: true };
    const { statements, broken } = session.parse(command);
    const shell = new Interpreter(session, this.programs, new ShellState(cwd), context);
    shell.run(statements, stdin === undefined ? undefined : withoutMarks(stdin));
    return broken;
  }
}

/** Running out of stack or of string length is the engine's way to say that it costs too much. */
function costOf(error: unknown): TooCostly['limit'] | undefined {
  if (error instanceof TooCostly) return error.limit;
  return error instanceof Error && error.name === 'RangeError' ? 'too-complex' : undefined;
}
