import { accessSync, constants, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { errnoOf, visible } from '#config';
import { isVisible, policyOn, type ExplainedPolicy, type UserRights } from '#sandbox';
import { deniedPath, type DeniedPath } from './denied-path.js';
import { ForeignMounts } from './foreign-mounts.js';
import { socketHint } from './socket-hint.js';

const MAX_HINTS = 3;

/** What a program said, and where. `isCell`: what it was not granted was not there for it. */
export interface Complaint {
  readonly output: string;
  readonly cwd: string;
  readonly isCell: boolean;
}

/** Lines that say what the policy has against what a program was refused. */
export function denialHints(complaint: Complaint, policy: ExplainedPolicy): readonly string[] {
  return [...pathHints(complaint, policy), ...socketHint(complaint.output, policy)];
}

/**
 * A line for each path that a program says it was refused and that the policy does not open as far as the user's own rights
 * go: what the policy has against it, and which key would change that. Nothing for a path that the user may not touch either,
 * for then the policy may be innocent, nor for one that cannot be told from the words.
 */
function pathHints({ output, cwd, isCell }: Complaint, policy: ExplainedPolicy): readonly string[] {
  const denied = output.split('\n').flatMap((line) => deniedPath(line.trimEnd()) ?? []);
  if (denied.length === 0) return [];
  const mounts = ForeignMounts.beside(policy.grants);
  const hides = (path: string): boolean => isCell && isHidden(policy, path);
  const named = denied.filter(({ path }) => !mounts.isOnTheWayTo(resolve(cwd, path))).flatMap((found) => pathOf(found, { cwd, hides }));
  const clauses = [...new Set(named)].map((path) => policyOn(policy, path, userRights));
  return clauses
    .filter((clause) => clause !== undefined)
    .slice(0, MAX_HINTS)
    .map((clause) => `[sandbox: ${visible(clause)}]`);
}

/** A relative name counts when it is there: programs change their directory without saying so. */
function pathOf(found: DeniedPath, { cwd, hides }: { readonly cwd: string; readonly hides: (path: string) => boolean }): readonly string[] {
  const path = resolve(cwd, found.path);
  if (found.isAbsent) return hides(path) ? [path] : [];
  return isAbsolute(found.path) || may(path, constants.F_OK) ? [path] : [];
}

/** It is there, or could be made, and only the view of tools lacks it. */
function isHidden(policy: ExplainedPolicy, path: string): boolean {
  return !isVisible(policy, path) && (may(path, constants.F_OK) || may(dirname(path), constants.F_OK));
}

/** The server runs as the user does, and outside. What does not exist is written by making it. */
function userRights(path: string): UserRights {
  if (!may(path, constants.F_OK)) return { read: false, write: may(dirname(path), constants.W_OK), execute: false };
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return { read: may(path, constants.R_OK), write: may(path, constants.W_OK), execute: isFile && may(path, constants.X_OK) };
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
