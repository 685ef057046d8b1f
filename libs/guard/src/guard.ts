import { join } from 'node:path';
import { loadYaml, packageRoot } from '#config';
import { CommandReader } from './command-reader.js';
import { Judgement } from './judgement.js';
import type { CommandPermissions } from './permissions/command-permissions.js';
import { RuleIndex } from './rules/match-rules.js';
import { parseRuleFile, type GuardData } from './rules/parse-rule-file.js';
import { PlacedPathSets } from './rules/path-sets.js';
import type { Rule } from './rules/rule.js';
import { stricter, type GuardContext, type Verdict } from './verdict.js';

/** Judges shell commands by rules. It guards against accidents; what must not happen is prevented by the sandbox. */
export class Guard {
  private readonly index: RuleIndex<Rule>;
  private readonly paths: PlacedPathSets;

  private constructor(
    readonly reader: CommandReader,
    private readonly data: GuardData,
  ) {
    this.index = new RuleIndex(data.file.rules);
    this.paths = new PlacedPathSets(data.file.paths);
  }

  /** Loads the parser and the rules of `file`. Throws ConfigError for a rule file that cannot be used. */
  static async load(file: string = join(packageRoot(), 'config', 'guard.yaml')): Promise<Guard> {
    return Guard.from(loadYaml(file), file);
  }

  /** The same from the value of a rule file; `origin` is what errors call it. */
  static async from(value: unknown, origin: string): Promise<Guard> {
    const data = parseRuleFile(value, origin);
    return new Guard(await CommandReader.load(data.programs), data);
  }

  /** What the rules say of a command given to `sh -c`, and what permission rules do beside them. Never throws for any command; takes less than a second. */
  judge(command: string, context: GuardContext, permissions?: CommandPermissions): Verdict {
    const { privilege } = this.data.file;
    const judgement = new Judgement(this.index, { scene: { sets: this.paths.at(context) }, privilege, changes: permissions?.changes });
    const end = this.reader.read(command, context, (fact, where) => {
      judgement.add(fact, where);
      permissions?.add(fact, where);
    });
    const own = judgement.endedBy(end);
    return permissions === undefined ? own : stricter(own, permissions.endedBy(end));
  }

  /** The ids and the examples of the rules, for tests and lists. */
  get rules(): GuardData['file']['rules'] {
    return this.data.file.rules;
  }
}
