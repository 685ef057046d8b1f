import type { ReadEnd } from './command-reader.js';
import { MAX_COMMAND } from './errors.js';
import type { Circumstances, Fact } from './rules/fact.js';
import type { RuleIndex, Scene } from './rules/match-rules.js';
import type { PrivilegeRule, Rule } from './rules/rule.js';
import { ALLOWED, compareStrictness, type Verdict } from './verdict.js';

/** What rules of the guard are to say instead, by their ids. */
export type GuardChanges = ReadonlyMap<string, 'allow' | 'ask' | 'deny'>;

interface Standards {
  readonly scene: Scene;
  readonly privilege: PrivilegeRule;
  readonly changes: GuardChanges | undefined;
}

/** Collects what the guard's rules say of one command: the strictest stands, of equals the first. */
export class Judgement {
  private verdict: Verdict = ALLOWED;
  private position = Number.POSITIVE_INFINITY;

  constructor(
    private readonly index: RuleIndex<Rule>,
    private readonly standards: Standards,
  ) {}

  add(fact: Fact, circumstances: Circumstances): void {
    for (const rule of this.index.match(fact, circumstances, this.standards.scene)) {
      this.take(this.changed(this.verdictOf(rule, circumstances), rule.id), rule.position);
    }
  }

  /** The verdict, once the command has been read as far as it goes. */
  endedBy(end: ReadEnd): Verdict {
    const { verdict } = this.verdict;
    if (end === 'whole' || verdict === 'deny') return this.verdict;
    if (end === 'broken') return verdict === 'allow' ? this.changed(UNPARSED, UNPARSED.rule) : this.verdict;
    const limit = this.changed(end === 'cut' ? CUT : limitOf(end), end === 'cut' ? CUT.rule : end);
    return limit.verdict === 'allow' ? this.verdict : limit;
  }

  private verdictOf({ id, class: name, verdict, why }: Rule, { span, privileged, remote }: Circumstances): Verdict {
    const { privilege } = this.standards;
    if (!privileged || verdict === 'warn') return { verdict, rule: name, id, span, why, origin: null };
    if (remote) return { verdict: privilege.verdict, rule: name, id, span, why: `${why}; ${privilege.why}`, origin: null };
    return { verdict: privilege.verdict, rule: privilege.class, id, span, why: `${privilege.why}: ${why}`, origin: null };
  }

  /** A denial stays one. */
  private changed(verdict: Verdict, id: string): Verdict {
    const change = verdict.verdict === 'deny' ? undefined : this.standards.changes?.get(id);
    if (change === undefined) return verdict;
    return change === 'allow' ? ALLOWED : { ...verdict, verdict: change };
  }

  private take(verdict: Verdict, position: number): void {
    const stricter = compareStrictness(verdict.verdict, this.verdict.verdict);
    if (verdict.verdict === 'allow' || stricter < 0 || (stricter === 0 && position >= this.position)) return;
    this.verdict = verdict;
    this.position = position;
  }
}

const UNPARSED = {
  ...ALLOWED,
  verdict: 'warn',
  rule: 'unparsed',
  why: 'it does not parse, so the shell will refuse some of it; what could be read looked harmless',
} as const;

const CUT = { ...UNPARSED, verdict: 'ask', why: 'it holds a NUL character, at which programs cut it off' } as const;

const LIMITS = {
  'too-large': `it is longer than ${MAX_COMMAND} characters, so nobody looked at it; put the script into a file`,
  'too-complex': 'it takes too long to follow, so its end was not looked at',
} as const;

/** Verdicts of the guard that no rule of its file gives. */
export const OWN_VERDICTS = [UNPARSED.rule, 'too-large', 'too-complex'] as const;

function limitOf(rule: keyof typeof LIMITS): Verdict {
  return { ...ALLOWED, verdict: 'ask', rule, why: LIMITS[rule] };
}
