import { join } from 'node:path';
import { ConfigError } from '#config';
import type { CommandReader } from '../command-reader.js';
import type { GuardContext } from '../verdict.js';
import { CommandJudgement } from './command-judgement.js';
import { commandOf } from './command-of.js';
import { PermissionSet } from './permission-set.js';
import type { Example, PermissionRule } from './permission-rule.js';

/** Each rule must meet its examples and none of its counter-examples, seen by itself. They run in `project` below the home directory. Throws ConfigError. */
export function tryExamples({ file }: PermissionSet, reader: CommandReader, home: string): void {
  const context = { home, cwd: join(home, 'project') };
  for (const rule of file.rules) {
    const otherwise = { verdict: rule.verdict === 'allow' ? 'deny' : 'allow', origin: rule.origin } as const;
    const alone = new PermissionSet({ ...file, otherwise, changes: [], rules: [rule] });
    const isMet = ({ call }: Example): boolean =>
      isAllowed(alone, { call, context, reader }) ? rule.verdict === 'allow' : rule.verdict !== 'allow';
    const missed = rule.examples.find((example) => !isMet(example));
    if (missed !== undefined) throw problem(rule, missed, 'examples: the rule does not meet');
    const met = rule.counterExamples.find(isMet);
    if (met !== undefined) throw problem(rule, met, 'counter-examples: the rule meets');
  }
}

interface Trial {
  readonly call: Example['call'];
  readonly context: GuardContext;
  readonly reader: CommandReader;
}

function isAllowed(set: PermissionSet, { call, context, reader }: Trial): boolean {
  const called = commandOf(call, context);
  if (called === undefined) return set.verdictOn(call, context).verdict === 'allow';
  const judgement = new CommandJudgement(set, call, context);
  const end = reader.read(called.command, called.context, (fact, where) => judgement.add(fact, where));
  return judgement.endedBy(end).verdict === 'allow';
}

function problem({ id }: PermissionRule, { text, origin }: Example, what: string): ConfigError {
  return new ConfigError(`${origin}: rules ${id}: ${what} ${JSON.stringify(text)}`);
}
