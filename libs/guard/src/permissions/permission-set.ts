import { globMatches } from '../words/glob.js';
import { RuleIndex } from '../rules/match-rules.js';
import { PlacedPathSets, type PathSets } from '../rules/path-sets.js';
import { ALLOWED, compareStrictness, type GuardContext, type Verdict } from '../verdict.js';
import { pathArguments } from './path-arguments.js';
import type { JudgedCall, PermissionFile, PermissionRule, PermissionVerdict, ToolCondition } from './permission-rule.js';

/** The rules of one permission file, ready to be matched. */
export class PermissionSet {
  readonly index: RuleIndex<PermissionRule>;
  readonly paths: PlacedPathSets;
  /** It has nothing to say of any call. */
  readonly isIdle: boolean;
  private readonly toolRules: readonly PermissionRule[];

  constructor(readonly file: PermissionFile) {
    this.index = new RuleIndex(file.rules);
    this.paths = new PlacedPathSets(file.paths);
    this.isIdle = file.rules.length === 0 && file.otherwise.verdict === 'allow';
    this.toolRules = file.rules.filter(({ toolConditions }) => toolConditions.length > 0);
  }

  /** The strictest rule that is about this call of a tool, whatever a command in it does. */
  ruleOn(call: JudgedCall, context: GuardContext): PermissionRule | undefined {
    if (this.toolRules.length === 0) return undefined;
    const seen = { tool: call.tool, paths: pathArguments(call, context), sets: this.paths.at(context) };
    const met = this.toolRules.filter(({ verdict, toolConditions }) => toolConditions.some((each) => meets(each, seen, verdict)));
    return met.reduce<PermissionRule | undefined>(strictest, undefined);
  }

  /** What the file says of a call without a command. */
  verdictOn(call: JudgedCall, context: GuardContext): Verdict {
    const rule = this.ruleOn(call, context);
    return rule === undefined ? this.defaultFor(null) : verdictOf(rule, null);
  }

  /** What the file says of what no rule of it is about. */
  defaultFor(span: Verdict['span']): Verdict {
    const { verdict, origin } = this.file.otherwise;
    return verdict === 'allow' ? ALLOWED : { verdict, rule: 'default', id: null, span, why: 'no rule allows it', origin };
  }
}

interface SeenCall {
  readonly tool: string;
  readonly paths: readonly string[];
  readonly sets: PathSets;
}

/** One path is enough to ask or to deny; to be allowed, all must be as the condition has it. */
function meets({ tools, inside, outside }: ToolCondition, { tool, paths, sets }: SeenCall, verdict: PermissionVerdict): boolean {
  if (!tools.some((pattern) => globMatches(pattern, tool))) return false;
  if (inside.length === 0 && outside.length === 0) return true;
  const lies = (path: string): boolean =>
    (inside.length === 0 || inside.some((name) => sets.holds(name, path))) && !outside.some((name) => sets.holds(name, path));
  return verdict === 'allow' ? paths.length > 0 && paths.every(lies) : paths.some(lies);
}

function strictest(best: PermissionRule | undefined, rule: PermissionRule): PermissionRule {
  return best === undefined || compareStrictness(rule.verdict, best.verdict) > 0 ? rule : best;
}

/** What a rule says; `span` is the part of a command that it is about. */
export function verdictOf({ id, verdict, why, origin }: PermissionRule, span: Verdict['span']): Verdict {
  return verdict === 'allow' ? ALLOWED : { verdict, rule: id, id, span, why, origin };
}
