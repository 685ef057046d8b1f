import type { ReadEnd } from '../command-reader.js';
import type { GuardChanges } from '../judgement.js';
import type { Circumstances, Fact } from '../rules/fact.js';
import { ALLOWED, compareStrictness, stricter, type GuardContext, type Verdict } from '../verdict.js';
import { CommandJudgement } from './command-judgement.js';
import type { PermissionSet } from './permission-set.js';
import type { JudgedCall, PermissionVerdict } from './permission-rule.js';

/** What permission files say of one command, which the guard reads for them. */
export class CommandPermissions {
  /** What rules of the guard are to say; of several files the strictest counts. */
  readonly changes: GuardChanges;
  private readonly judgements: readonly CommandJudgement[];

  constructor(sets: readonly PermissionSet[], call: JudgedCall, context: GuardContext) {
    this.changes = changesOf(sets);
    this.judgements = sets.filter(({ isIdle }) => !isIdle).map((set) => new CommandJudgement(set, call, context));
  }

  add(fact: Fact, circumstances: Circumstances): void {
    for (const judgement of this.judgements) judgement.add(fact, circumstances);
  }

  endedBy(end: ReadEnd): Verdict {
    return this.judgements.reduce((verdict, judgement) => stricter(verdict, judgement.endedBy(end)), ALLOWED);
  }
}

function changesOf(sets: readonly PermissionSet[]): GuardChanges {
  const changes = new Map<string, PermissionVerdict>();
  for (const { id, verdict } of sets.flatMap(({ file }) => file.changes)) {
    const known = changes.get(id);
    if (known === undefined || compareStrictness(verdict, known) > 0) changes.set(id, verdict);
  }
  return changes;
}
