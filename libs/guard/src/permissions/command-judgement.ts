import type { ReadEnd } from '../command-reader.js';
import type { Circumstances, Fact } from '../rules/fact.js';
import type { Scene } from '../rules/match-rules.js';
import { ALLOWED, stricter, type GuardContext, type Verdict } from '../verdict.js';
import { verdictOf, type PermissionSet } from './permission-set.js';
import type { JudgedCall } from './permission-rule.js';
import { Uncovered } from './uncovered.js';

/** What one permission file says of a command: the strictest of its rules, and its default for each part that none is about. */
export class CommandJudgement {
  private verdict: Verdict;
  private readonly uncovered = new Uncovered();
  private readonly scene: Scene;
  private readonly isAllowed: boolean;

  constructor(
    private readonly set: PermissionSet,
    call: JudgedCall,
    context: GuardContext,
  ) {
    const rule = set.ruleOn(call, context);
    this.verdict = rule === undefined ? ALLOWED : verdictOf(rule, null);
    this.isAllowed = rule !== undefined || set.file.otherwise.verdict === 'allow';
    this.scene = { sets: set.paths.at(context), tool: call.tool };
  }

  add(fact: Fact, circumstances: Circumstances): void {
    const rules = this.set.index.match(fact, circumstances, this.scene);
    for (const rule of rules) this.verdict = stricter(this.verdict, verdictOf(rule, circumstances.span));
    if (!this.isAllowed) this.uncovered.note(fact, circumstances, rules.length > 0);
  }

  endedBy(end: ReadEnd): Verdict {
    if (this.isAllowed) return this.verdict;
    const { span } = this.uncovered;
    return span === undefined && end === 'whole' ? this.verdict : stricter(this.verdict, this.set.defaultFor(span ?? null));
  }
}
