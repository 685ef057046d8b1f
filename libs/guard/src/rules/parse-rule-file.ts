import { ConfigError } from '#config';
import { parseOptionGrammar, type OptionGrammar } from '../programs/options.js';
import type { ProgramData, Wrapper } from '../programs/program-tools.js';
import { parseCondition } from './parse-condition.js';
import type { PrivilegeRule, Rule, RuleFile, Severity } from './rule.js';
import { Section } from './section.js';

export interface GuardData {
  readonly file: RuleFile;
  readonly programs: ProgramData;
}

/** Reads the value of a guard.yaml. Throws ConfigError that names the rule or key and the reason. */
export function parseRuleFile(value: unknown, origin: string): GuardData {
  const source = { name: origin, lineOf: () => undefined };
  const top = Section.root(value, source, ['rules', 'privilege', 'paths', 'programs', 'wrappers', 'processes', 'anchors']);
  const options = grammars(top.child('programs'));
  const wrappers = new Map(
    top
      .child('wrappers')
      .entries()
      .map(([name, wrapper]) => [name, parseWrapper(wrapper)]),
  );
  const processes = top.child('processes', ['own', 'command-lines', 'general']);
  const paths = new Map(
    top
      .child('paths')
      .names()
      .map((name) => [name, top.child('paths').texts(name)]),
  );
  const rules = top.list('rules').map((rule, position) => ({ ...parseRule(rule, paths), position }));
  requireUnique(rules, origin);
  return {
    file: { rules, privilege: parsePrivilege(top.child('privilege', ['class', 'verdict', 'why'])), paths, programs: options },
    programs: {
      options,
      wrappers,
      processes: { own: processes.texts('own'), commandLines: processes.texts('command-lines'), general: processes.texts('general') },
    },
  };
}

function grammars(section: Section): ReadonlyMap<string, OptionGrammar> {
  return new Map(
    section.names().flatMap((names) => names.split(/,\s*/).map((name) => [name, parseOptionGrammar(section.text(names))] as const)),
  );
}

function parseWrapper(section: Section): Wrapper {
  const known = section.only(['options', 'skip', 'privileged', 'unless']);
  return {
    options: parseOptionGrammar(known.optionalText('options') ?? ''),
    skip: known.optionalNumber('skip') ?? 0,
    privileged: known.flag('privileged') ?? false,
    unless: known.texts('unless'),
  };
}

function parsePrivilege(section: Section): PrivilegeRule {
  return { class: section.text('class'), verdict: severity(section), why: section.text('why') };
}

function parseRule(section: Section, paths: ReadonlyMap<string, unknown>): Omit<Rule, 'position'> {
  const known = section.only(['id', 'class', 'verdict', 'why', 'when', 'examples', 'counter-examples']);
  const rule = {
    id: known.text('id'),
    class: known.text('class'),
    verdict: severity(known),
    why: known.text('why'),
    conditions: known.list('when').map((condition) => parseCondition(condition, paths)),
    examples: known.texts('examples'),
    counterExamples: known.texts('counter-examples'),
  };
  if (rule.conditions.length === 0) throw known.error('when', 'no condition');
  if (rule.examples.length === 0) throw known.error('examples', 'at least one is needed');
  return rule;
}

function severity(section: Section): Severity {
  const verdict = section.text('verdict');
  if (verdict === 'deny' || verdict === 'ask' || verdict === 'warn') return verdict;
  throw section.error('verdict', `${verdict} is none of deny, ask, warn`);
}

function requireUnique(rules: readonly Rule[], origin: string): void {
  const seen = new Set<string>();
  for (const { id } of rules) {
    if (seen.has(id)) throw new ConfigError(`${origin}: rule ${id}: there is another of this id`);
    seen.add(id);
  }
}
