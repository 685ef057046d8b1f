import { parseCondition, requireNames } from '../rules/parse-condition.js';
import type { Condition } from '../rules/rule.js';
import type { Section } from '../rules/section.js';
import { addWrittenPaths, type PathPatterns } from './path-patterns.js';
import { parseExamples } from './parse-examples.js';
import type { PermissionRule, PermissionVerdict, ToolCondition } from './permission-rule.js';

/** What refusals, requests and logs may carry. */
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/;
const TOOL_PARTS = ['tool', 'inside', 'outside'];

/** Reads one rule. Paths that it names without a set become sets of their own in `paths`. Throws ConfigError. */
export function parsePermissionRule(section: Section, paths: PathPatterns): PermissionRule {
  const known = section.only(['id', 'verdict', 'why', 'when', 'examples', 'counter-examples']);
  const id = known.text('id');
  if (!ID.test(id)) throw known.error('id', 'expected letters, digits, ".", "_" and "-", at most 64');
  const verdict = parseVerdict(known, 'verdict');
  const conditions = known.list('when');
  if (conditions.length === 0) throw known.error('when', 'no condition');
  for (const condition of conditions) addWrittenPaths(condition, paths);
  const examples = parseExamples(known, 'examples');
  if (examples.length === 0) throw known.error('examples', 'at least one is needed');
  return {
    id,
    verdict,
    why: verdict === 'allow' ? (known.optionalText('why') ?? '') : known.text('why'),
    origin: known.originOf('id'),
    toolConditions: conditions.filter(isAboutTool).map((condition) => toolCondition(condition, paths)),
    conditions: conditions.filter((each) => !isAboutTool(each)).map((condition) => commandCondition(condition, verdict, paths)),
    examples,
    counterExamples: parseExamples(known, 'counter-examples'),
  };
}

export function parseVerdict(section: Section, key: string): PermissionVerdict {
  const verdict = section.text(key);
  if (verdict === 'allow' || verdict === 'ask' || verdict === 'deny') return verdict;
  throw section.error(key, `${verdict} is none of allow, ask, deny`);
}

function isAboutTool(condition: Section): boolean {
  return condition.names().every((name) => TOOL_PARTS.includes(name));
}

function toolCondition(section: Section, paths: PathPatterns): ToolCondition {
  requireNames(section, paths);
  const tools = section.texts('tool');
  if (tools.length === 0) throw section.error('tool', 'missing; name a tool, a program or an effect');
  return { tools, inside: section.texts('inside'), outside: section.texts('outside') };
}

/** `paths` holds for what lies above a path as well, and that is not what anybody means to allow. */
function commandCondition(section: Section, verdict: PermissionVerdict, paths: PathPatterns): Condition {
  if (verdict === 'allow' && section.names().includes('paths')) throw section.error('paths', 'what is allowed lies `inside` a path');
  return parseCondition(section, paths, 'tool');
}
