import { globMatches } from '../words/glob.js';
import { isUnknown } from '../words/unknown.js';
import type { Circumstances, Fact } from './fact.js';
import { isTree, type PathSets } from './path-sets.js';
import type { Condition } from './rule.js';

/** A rule as far as it is matched. */
interface Conditional {
  readonly verdict: string;
  readonly conditions: readonly Condition[];
}

interface Entry<R> {
  readonly rule: R;
  readonly condition: Condition;
}

/** The rules by the effect that they look for, and by the program where they name one: most commands meet none. */
export class RuleIndex<R extends Conditional> {
  private readonly byEffect = new Map<string, Entry<R>[]>();
  private readonly byProgram = new Map<string, Entry<R>[]>();

  constructor(rules: readonly R[]) {
    for (const rule of rules) {
      for (const condition of rule.conditions) this.add({ rule, condition });
    }
  }

  /** The rules that a fact meets. */
  match(fact: Fact, circumstances: Circumstances, scene: Scene): readonly R[] {
    const candidates = this.byEffect.get(fact.effect) ?? [];
    const named = this.byProgram.get(fact.attributes?.program ?? '') ?? [];
    if (candidates.length === 0 && named.length === 0) return [];
    const seen: Case = { sets: scene.sets, tool: scene.tool ?? '', fact, circumstances, isPermit: false };
    const met = [...named, ...candidates].filter(({ rule, condition }) =>
      meets(condition, rule.verdict === 'allow' ? { ...seen, isPermit: true } : seen),
    );
    return met.map(({ rule }) => rule);
  }

  private add(entry: Entry<R>): void {
    const { effect, attributes } = entry.condition;
    const programs = attributes.program ?? [];
    if (effect !== 'run' || programs.length === 0 || programs.some((name) => /[*?[]/.test(name))) append(this.byEffect, effect, entry);
    else for (const program of programs) append(this.byProgram, program, entry);
  }
}

function append<R>(index: Map<string, Entry<R>[]>, key: string, entry: Entry<R>): void {
  index.set(key, [...(index.get(key) ?? []), entry]);
}

/** Where a command is looked at. */
export interface Scene {
  readonly sets: PathSets;
  /** The tool that it is an argument of, where that is known. */
  readonly tool?: string;
}

interface Case extends Required<Scene> {
  readonly fact: Fact;
  readonly circumstances: Circumstances;
  /** Something would be allowed by it: it must be so in each reading of the command, and for all operands. */
  readonly isPermit: boolean;
}

function meets(condition: Condition, seen: Case): boolean {
  if (condition.tools.length > 0 && !condition.tools.some((pattern) => globMatches(pattern, seen.tool))) return false;
  if (condition.remote !== undefined && condition.remote !== seen.circumstances.remote) return false;
  if (seen.isPermit ? !isKnown(condition, seen) : condition.uncertain !== (seen.fact.certainty === 'output')) return false;
  return meetsAttributes(condition, seen) && meetsPath(condition, seen) && meetsWords(condition, seen);
}

/** Nothing that a path or an operand hangs on may be unknown where something is allowed. */
function isKnown({ inside, outside, operands, operandPaths, options, without }: Condition, { fact }: Case): boolean {
  const aboutPath = inside.length + outside.length > 0;
  const aboutWords = operands.length + operandPaths.length + options.length + without.length > 0;
  return !(aboutPath && isUnknown(fact.path ?? '')) && !(aboutWords && (fact.operands ?? []).some(isUnknown));
}

function meetsAttributes({ attributes }: Condition, { fact, isPermit }: Case): boolean {
  return Object.entries(attributes).every(([name, patterns]) => {
    const value = fact.attributes?.[name] ?? '';
    return patterns.some((pattern) => globMatches(pattern, value)) || (value === '*' && patterns.length > 0 && !isPermit);
  });
}

function meetsPath({ paths, inside, outside, recursive }: Condition, { fact, sets, isPermit }: Case): boolean {
  const { path = '' } = fact;
  const deep = fact.recursive === true || isTree(path);
  if (recursive !== undefined && recursive !== deep) return false;
  const lies = (name: string): boolean => (isPermit ? sets.holds(name, path) : sets.mayHold(name, path));
  if (inside.length > 0 && !inside.some(lies)) return false;
  if (outside.some((name) => (isPermit ? sets.mayHold(name, path) : sets.holds(name, path)))) return false;
  return paths.length === 0 || paths.some((name) => sets.meets(name, path, deep && fact.effect !== 'permissions'));
}

function meetsWords(condition: Condition, seen: Case): boolean {
  const { options = new Set<string>(), operands = [] } = seen.fact;
  if (condition.without.some((name) => options.has(name))) return false;
  if (condition.options.length > 0 && !condition.options.some((name) => options.has(name))) return false;
  if (condition.subcommand.length > 0 && !condition.subcommand.some((pattern) => globMatches(pattern, operands[0] ?? ''))) return false;
  return meetsOperands(condition, seen) && meetsOperandPaths(condition, seen);
}

function meetsOperands(condition: Condition, seen: Case): boolean {
  if (condition.operands.length === 0) return true;
  const meetsOne = (word: string): boolean => condition.operands.some((pattern) => globMatches(pattern, word));
  return seen.isPermit ? ownOperands(condition, seen.fact).every(meetsOne) : (seen.fact.operands ?? []).some(meetsOne);
}

/** A command without operands works where it is. */
function meetsOperandPaths(condition: Condition, { fact, sets, isPermit }: Case): boolean {
  if (condition.operandPaths.length === 0) return true;
  const pathOf = (word: string): string => fact.resolve?.(word) ?? word;
  if (!isPermit) return (fact.operands ?? []).some((word) => condition.operandPaths.some((name) => sets.mayHold(name, pathOf(word))));
  const words = ownOperands(condition, fact);
  return (words.length === 0 ? ['.'] : words).every((word) => condition.operandPaths.some((name) => sets.holds(name, pathOf(word))));
}

/** Without the subcommand. */
function ownOperands({ subcommand }: Condition, { operands = [] }: Fact): readonly string[] {
  return operands.slice(subcommand.length > 0 ? 1 : 0);
}
