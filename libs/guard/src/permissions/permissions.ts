import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, errnoOf, messageOf, type Paths } from '#config';
import { Guard } from '../guard.js';
import { OWN_VERDICTS } from '../judgement.js';
import { ALLOWED, stricter, type GuardContext, type Verdict } from '../verdict.js';
import { commandOf } from './command-of.js';
import { CommandPermissions } from './command-permissions.js';
import { parsePermissionFile } from './parse-permission-file.js';
import { PermissionSet } from './permission-set.js';
import type { JudgedCall } from './permission-rule.js';
import { tryExamples } from './try-examples.js';

/** Where rules and home lie. */
type RulePlaces = Pick<Paths, 'packaged' | 'config' | 'home'>;

/**
 * What an agent may do, must ask for, or may not do: the rules of the packaged permissions.yaml, of the user's, and of the guard. Each
 * file gives its verdict of a call, and the strictest stands.
 */
export class Permissions {
  private guard: Promise<Guard> | undefined;
  private sets: readonly PermissionSet[] = [];

  private constructor(private readonly places: RulePlaces) {}

  /** Throws ConfigError for a file that cannot be used; the user's may be absent. */
  static async load(places: RulePlaces): Promise<Permissions> {
    const permissions = new Permissions(places);
    const files = [join(places.packaged, 'permissions.yaml'), join(places.config, 'permissions.yaml')];
    permissions.sets = await Promise.all(files.map((file) => permissions.read(textOf(file), file)));
    return permissions;
  }

  /** Makes rules of the text of such a file, for `judge`. Tries its examples. Throws ConfigError. */
  async read(text: string, name: string): Promise<PermissionSet> {
    const set = new PermissionSet(parsePermissionFile(text, name));
    if (set.file.changes.length > 0) requireGuardRules(set, await this.loadGuard());
    if (set.file.rules.length > 0) tryExamples(set, (await this.loadGuard()).reader, this.places.home);
    return set;
  }

  /** `more`: rules that stand beside those of the files, for this call alone. The guard is loaded with the first command. */
  async judge(call: JudgedCall, context: GuardContext, more: readonly PermissionSet[] = []): Promise<Verdict> {
    const sets = [...this.sets, ...more];
    const called = commandOf(call, context);
    if (called !== undefined)
      return (await this.loadGuard()).judge(called.command, called.context, new CommandPermissions(sets, call, context));
    return sets.reduce((verdict, set) => stricter(verdict, set.verdictOn(call, context)), ALLOWED);
  }

  private loadGuard(): Promise<Guard> {
    this.guard ??= Guard.load(join(this.places.packaged, 'guard.yaml'));
    return this.guard;
  }
}

/** A change must name a rule that there is, and none that denies can be lifted. */
function requireGuardRules({ file }: PermissionSet, guard: Guard): void {
  const verdicts = new Map<string, string>([
    ...guard.rules.map(({ id, verdict }) => [id, verdict] as const),
    ...OWN_VERDICTS.map((id) => [id, 'ask'] as const),
  ]);
  for (const { id, verdict, origin } of file.changes) {
    const known = verdicts.get(id);
    if (known === undefined) throw new ConfigError(`${origin}: guard: ${id}: no such rule of the guard`);
    if (known === 'deny' && verdict !== 'deny')
      throw new ConfigError(`${origin}: guard: ${id}: the guard denies this, and no file can lift that`);
  }
}

/** Empty where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    throw new ConfigError(`${file}: cannot be read: ${messageOf(error)}`);
  }
}
