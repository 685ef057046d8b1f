import { Deadline } from '../deadline.js';
import { MAX_COMMAND, TooCostly } from '../errors.js';
import type { Circumstances, Fact } from '../rules/fact.js';
import type { BashGrammar } from '../syntax/bash-grammar.js';
import { parseScript, type Script } from '../syntax/script.js';
import { Unknowns } from '../words/unknown.js';

const MAX_STEPS = 5_000;
const DEADLINE_MS = 500;
const MAX_VALUE = MAX_COMMAND / 2;

export interface SessionParts {
  readonly grammar: BashGrammar;
  readonly home: string;
  readonly report: (fact: Fact, circumstances: Circumstances) => void;
}

/** What is shared by all the shells of one judgement: files that they wrote, unknowns, and how much work is left. */
export class Session {
  readonly unknowns = new Unknowns();
  /** Content of files that the command itself wrote. */
  readonly files = new Map<string, string>();
  /** Scripts that read what is written to their name: `>(script)`. */
  readonly sinks = new Map<string, string>();
  /** Some of it nests too deep to be followed. */
  hasUnseen = false;
  private readonly deadline = new Deadline(DEADLINE_MS);
  private steps = 0;
  private readonly scripts = new Map<string, Script>();

  constructor(readonly parts: SessionParts) {}

  /** Counts one step. Throws TooCostly when there were too many. */
  step(): void {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new TooCostly('too-complex');
    if ((this.steps & 63) === 0 && this.deadline.isOver) throw new TooCostly('too-complex');
  }

  /** A value that is too long to be carried on tells only what kind of thing it is: nobody sees the code in it. */
  bounded(value: string): string {
    return value.length > MAX_VALUE ? this.unknowns.derive(value, { encoded: true }) : value;
  }

  parse(text: string): Script {
    if (text.length > MAX_COMMAND) throw new TooCostly('too-large');
    const known = this.scripts.get(text);
    if (known !== undefined) return known;
    this.step();
    const script = parseScript(this.parts.grammar, text);
    this.scripts.set(text, script);
    return script;
  }
}
