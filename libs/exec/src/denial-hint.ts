import { accessSync, constants, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { errnoOf, visible } from '#config';
import { policyOn, type ExplainedPolicy, type UserRights } from '#sandbox';
import { deniedPath } from './denied-path.js';

const MAX_HINTS = 3;

/**
 * A line for each path that a program says it was refused and that the policy does not open as far as the user's own rights
 * go: what the policy has against it, and which key would change that. Nothing for a path that the user may not touch either,
 * for then the policy may be innocent, nor for one that cannot be told from the words.
 */
export function denialHints(output: string, policy: ExplainedPolicy, cwd: string): readonly string[] {
  const paths = output.split('\n').flatMap((line) => pathIn(line.trimEnd(), cwd));
  const clauses = [...new Set(paths)].map((path) => policyOn(policy, path, userRights));
  return clauses
    .filter((clause) => clause !== undefined)
    .slice(0, MAX_HINTS)
    .map((clause) => `[sandbox: ${visible(clause)}]`);
}

/** A relative name counts when it is there: programs change their directory without saying so. */
function pathIn(line: string, cwd: string): readonly string[] {
  const found = deniedPath(line);
  if (found === undefined) return [];
  const path = resolve(cwd, found);
  return isAbsolute(found) || may(path, constants.F_OK) ? [path] : [];
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
