import { globMatches } from '../words/glob.js';
import type { Circumstances, Fact } from './fact.js';
import { isTree, type PathSets } from './path-sets.js';
import type { Condition, Rule } from './rule.js';

interface Entry {
  readonly rule: Rule;
  readonly condition: Condition;
}

/** The rules by the effect that they look for, and by the program where they name one: most commands meet none. */
export class RuleIndex {
  private readonly byEffect = new Map<string, Entry[]>();
  private readonly byProgram = new Map<string, Entry[]>();

  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      for (const condition of rule.conditions) this.add({ rule, condition });
    }
  }

  /** The rules that a fact meets. */
  match(fact: Fact, circumstances: Circumstances, sets: PathSets): readonly Rule[] {
    const candidates = this.byEffect.get(fact.effect) ?? [];
    const named = this.byProgram.get(fact.attributes?.program ?? '') ?? [];
    if (candidates.length === 0 && named.length === 0) return [];
    const seen = { fact, circumstances, sets };
    return [...named, ...candidates].filter(({ condition }) => meets(condition, seen)).map(({ rule }) => rule);
  }

  private add(entry: Entry): void {
    const { effect, attributes } = entry.condition;
    const programs = attributes.program ?? [];
    if (effect !== 'run' || programs.length === 0 || programs.some((name) => /[*?[]/.test(name))) append(this.byEffect, effect, entry);
    else for (const program of programs) append(this.byProgram, program, entry);
  }
}

function append(index: Map<string, Entry[]>, key: string, entry: Entry): void {
  index.set(key, [...(index.get(key) ?? []), entry]);
}

interface Case {
  readonly fact: Fact;
  readonly circumstances: Circumstances;
  readonly sets: PathSets;
}

function meets(condition: Condition, seen: Case): boolean {
  if (condition.remote !== undefined && condition.remote !== seen.circumstances.remote) return false;
  if (condition.uncertain !== (seen.fact.certainty === 'output')) return false;
  return meetsAttributes(condition, seen.fact) && meetsPath(condition, seen) && meetsWords(condition, seen);
}

function meetsAttributes({ attributes }: Condition, fact: Fact): boolean {
  return Object.entries(attributes).every(([name, patterns]) => {
    const value = fact.attributes?.[name] ?? '';
    return patterns.some((pattern) => globMatches(pattern, value)) || (value === '*' && patterns.length > 0);
  });
}

function meetsPath({ paths, outside, recursive }: Condition, { fact, sets }: Case): boolean {
  const { path = '' } = fact;
  const deep = fact.recursive === true || isTree(path);
  if (recursive !== undefined && recursive !== deep) return false;
  if (outside.some((name) => sets.holds(name, path))) return false;
  return paths.length === 0 || paths.some((name) => sets.meets(name, path, deep && fact.effect !== 'permissions'));
}

function meetsWords(condition: Condition, { fact, sets }: Case): boolean {
  const { options = new Set<string>(), operands = [] } = fact;
  if (condition.without.some((name) => options.has(name))) return false;
  if (condition.options.length > 0 && !condition.options.some((name) => options.has(name))) return false;
  if (condition.subcommand.length > 0 && !condition.subcommand.some((pattern) => globMatches(pattern, operands[0] ?? ''))) return false;
  if (condition.operands.length > 0 && !operands.some((word) => condition.operands.some((pattern) => globMatches(pattern, word))))
    return false;
  return (
    condition.operandPaths.length === 0 ||
    operands.some((word) => condition.operandPaths.some((name) => sets.holds(name, fact.resolve?.(word) ?? word)))
  );
}
