import { join } from 'node:path';
import { loadYaml, packageRoot } from '#config';
import { TooCostly } from './errors.js';
import { ProgramTable } from './programs/program-table.js';
import { Judgement } from './judgement.js';
import { RuleIndex } from './rules/match-rules.js';
import { parseRuleFile, type GuardData } from './rules/parse-rule-file.js';
import { PathSets } from './rules/path-sets.js';
import { Interpreter } from './shell/interpreter.js';
import { Session } from './shell/session.js';
import { ShellState } from './shell/state.js';
import { BashGrammar } from './syntax/bash-grammar.js';
import { ALLOWED, type GuardContext, type Verdict } from './verdict.js';
import { withoutMarks } from './words/unknown.js';

/** The longest command that is looked at; the kernel takes no longer argument. In UTF-16 units. */
export const MAX_COMMAND = 128 * 1024;

/** Judges shell commands by rules. It guards against accidents; what must not happen is prevented by the sandbox. */
export class Guard {
  private readonly index: RuleIndex;
  private readonly programs: ProgramTable;
  /** The path sets of the last place: commands come from the same one mostly. */
  private place: { readonly context: GuardContext; readonly sets: PathSets } | undefined;

  private constructor(
    private readonly grammar: BashGrammar,
    private readonly data: GuardData,
  ) {
    this.index = new RuleIndex(data.file.rules);
    this.programs = new ProgramTable(data.programs);
  }

  /** Loads the parser and the rules of `file`. Throws ConfigError for a rule file that cannot be used. */
  static async load(file: string = join(packageRoot(), 'config', 'guard.yaml')): Promise<Guard> {
    return Guard.from(loadYaml(file), file);
  }

  /** The same from the value of a rule file; `origin` is what errors call it. */
  static async from(value: unknown, origin: string): Promise<Guard> {
    const data = parseRuleFile(value, origin);
    return new Guard(await BashGrammar.load(), data);
  }

  /** What the rules say of a command given to `sh -c`. Never throws for any command; takes less than a second. */
  judge(command: string, context: GuardContext): Verdict {
    if (command.length > MAX_COMMAND) return limit('too-large');
    const judgement = new Judgement(this.index, this.setsFor(context), this.data.file.privilege);
    try {
      const broken = this.follow(withoutMarks(command), context, judgement);
      if (command.includes('\0') && judgement.verdict.verdict !== 'deny') return CUT;
      return broken && judgement.verdict.verdict === 'allow' ? UNPARSED : judgement.verdict;
    } catch (error) {
      const reason = costOf(error);
      if (reason === undefined) throw error;
      return judgement.verdict.verdict === 'deny' ? judgement.verdict : limit(reason);
    }
  }

  /** The ids and the examples of the rules, for tests and lists. */
  get rules(): GuardData['file']['rules'] {
    return this.data.file.rules;
  }

  private setsFor(context: GuardContext): PathSets {
    const { place } = this;
    if (place?.context.cwd === context.cwd && place.context.home === context.home) return place.sets;
    const sets = new PathSets(this.data.file.paths, context);
    this.place = { context, sets };
    return sets;
  }

  private follow(command: string, { cwd, home }: GuardContext, judgement: Judgement): boolean {
    const session = new Session({ grammar: this.grammar, home, report: (fact, where) => judgement.add(fact, where) });
    const outside = { span: { start: 0, end: command.length }, privileged: false, remote: false };
    const context = { ...outside, depth: 0, forks: 0, conditions: 0, active: [], outermost: true };
    const { statements, broken } = session.parse(command);
    new Interpreter(session, this.programs, new ShellState(cwd), context).run(statements);
    return broken;
  }
}

/** Running out of stack or of string length is the engine's way to say that it costs too much. */
function costOf(error: unknown): TooCostly['limit'] | undefined {
  if (error instanceof TooCostly) return error.limit;
  return error instanceof Error && error.name === 'RangeError' ? 'too-complex' : undefined;
}

const UNPARSED: Verdict = {
  ...ALLOWED,
  verdict: 'warn',
  rule: 'unparsed',
  why: 'it does not parse, so the shell will refuse some of it; what could be read looked harmless',
};

const CUT: Verdict = { ...UNPARSED, verdict: 'ask', why: 'it holds a NUL character, at which programs cut it off' };

const LIMITS = {
  'too-large': `it is longer than ${MAX_COMMAND} characters, so nobody looked at it; put the script into a file`,
  'too-complex': 'it takes too long to follow, so its end was not looked at',
} as const;

function limit(rule: keyof typeof LIMITS): Verdict {
  return { verdict: 'ask', rule, id: null, span: null, why: LIMITS[rule] };
}
