import type { Circumstances, Fact } from './rules/fact.js';
import type { RuleIndex } from './rules/match-rules.js';
import type { PathSets } from './rules/path-sets.js';
import type { PrivilegeRule, Rule } from './rules/rule.js';
import { ALLOWED, type Verdict } from './verdict.js';

const RANK = { allow: 0, warn: 1, ask: 2, deny: 3 } as const;

/** Collects what the rules say of one command: the strictest stands, of equals the first. */
export class Judgement {
  verdict: Verdict = ALLOWED;
  private position = Number.POSITIVE_INFINITY;

  constructor(
    private readonly index: RuleIndex,
    private readonly sets: PathSets,
    private readonly privilege: PrivilegeRule,
  ) {}

  add(fact: Fact, circumstances: Circumstances): void {
    for (const rule of this.index.match(fact, circumstances, this.sets)) this.take(this.verdictOf(rule, circumstances), rule.position);
  }

  private verdictOf({ id, class: name, verdict, why }: Rule, { span, privileged, remote }: Circumstances): Verdict {
    if (!privileged || verdict === 'warn') return { verdict, rule: name, id, span, why };
    if (remote) return { verdict: this.privilege.verdict, rule: name, id, span, why: `${why}; ${this.privilege.why}` };
    return { verdict: this.privilege.verdict, rule: this.privilege.class, id, span, why: `${this.privilege.why}: ${why}` };
  }

  private take(verdict: Verdict, position: number): void {
    const stricter = RANK[verdict.verdict] - RANK[this.verdict.verdict];
    if (stricter < 0 || (stricter === 0 && position >= this.position)) return;
    this.verdict = verdict;
    this.position = position;
  }
}
