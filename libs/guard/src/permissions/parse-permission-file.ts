import { ConfigError, parseYaml, yamlLines } from '#config';
import { Section } from '../rules/section.js';
import { parsePermissionRule, parseVerdict } from './parse-permission-rule.js';
import { parsePathSets } from './path-patterns.js';
import type { DefaultVerdict, PermissionFile, PermissionRule } from './permission-rule.js';

/** Reads the text of a permissions.yaml. Throws ConfigError that names file, line and key, and the reason. */
export function parsePermissionFile(text: string, name: string): PermissionFile {
  const lines = yamlLines(text);
  const source = { name, lineOf: (path: string) => lines.get(path) };
  const top = Section.root(parseYaml(text, name) ?? {}, source, ['default', 'guard', 'paths', 'rules']);
  const guard = top.child('guard');
  const paths = parsePathSets(top.child('paths'));
  const rules = top.list('rules').map((rule) => parsePermissionRule(rule, paths));
  requireUnique(rules);
  const changes = guard.names().map((id) => ({ id, verdict: parseVerdict(guard, id), origin: guard.originOf(id) }));
  return { name, otherwise: defaultOf(top), changes, paths, rules };
}

function defaultOf(top: Section): DefaultVerdict {
  return { verdict: top.optionalText('default') === undefined ? 'allow' : parseVerdict(top, 'default'), origin: top.originOf('default') };
}

function requireUnique(rules: readonly PermissionRule[]): void {
  const seen = new Set<string>();
  for (const { id, origin } of rules) {
    if (seen.has(id)) throw new ConfigError(`${origin}: rules ${id}: there is another of this id`);
    seen.add(id);
  }
}
