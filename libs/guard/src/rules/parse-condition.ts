import type { Condition } from './rule.js';
import type { Section } from './section.js';

/** The effects that a command can have, and the attributes of each. */
const EFFECTS: Readonly<Record<string, readonly string[]>> = {
  run: ['program'],
  delete: [],
  permissions: [],
  move: [],
  write: ['mode', 'content', 'by'],
  read: [],
  clean: ['directories'],
  push: ['how', 'branch'],
  execute: ['source'],
  signal: ['reach'],
  fork: ['how'],
};

const PARTS = [
  'subcommand',
  'effect',
  'paths',
  'inside',
  'outside',
  'recursive',
  'remote',
  'uncertain',
  'options',
  'without',
  'operands',
  'operand-paths',
];

/** The parts that are one word, or yes or no. */
const SINGLE: readonly string[] = ['effect', 'recursive', 'remote', 'uncertain'];

/** The parts that name path sets. */
export const PATH_PARTS = ['paths', 'inside', 'outside', 'operand-paths'] as const;

/** Reads a condition on what a command does. With `tool`, it may name tools. Throws ConfigError for unknown parts, effects and path sets. */
export function parseCondition(section: Section, paths: ReadonlyMap<string, unknown>, more?: 'tool'): Condition {
  const effect = section.optionalText('effect') ?? 'run';
  const attributes = EFFECTS[effect];
  if (attributes === undefined) throw section.error('effect', `${effect} is none of ${Object.keys(EFFECTS).join(', ')}`);
  section.only([...PARTS, ...attributes, ...(more === undefined ? [] : [more])]);
  requireNames(section, paths);
  const given = section.names().filter((name) => attributes.includes(name));
  return {
    tools: more === undefined ? [] : section.texts(more),
    effect,
    paths: section.texts('paths'),
    inside: section.texts('inside'),
    outside: section.texts('outside'),
    recursive: section.flag('recursive'),
    remote: section.flag('remote'),
    uncertain: section.flag('uncertain') ?? false,
    attributes: Object.fromEntries(given.map((name) => [name, section.texts(name)])),
    options: section.texts('options'),
    without: section.texts('without'),
    subcommand: section.texts('subcommand'),
    operands: section.texts('operands'),
    operandPaths: section.texts('operand-paths'),
  };
}

/** Throws ConfigError when a part of a condition names nothing, so that it would hold for everything, or a path set that is not there. */
export function requireNames(section: Section, paths: ReadonlyMap<string, unknown>): void {
  const empty = section.names().find((name) => !SINGLE.includes(name) && section.texts(name).length === 0);
  if (empty !== undefined) throw section.error(empty, 'nothing is named');
  for (const part of PATH_PARTS) {
    for (const name of section.texts(part)) if (!paths.has(name)) throw section.error(part, `no such path set: ${name}`);
  }
}
