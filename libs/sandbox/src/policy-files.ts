import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, type Paths } from '#config';
import { NoSuchPolicyError, SandboxConfigError } from './errors.js';
import type { Layers } from './layers.js';
import { parseDocument, type PolicyDocument } from './policy-document.js';
import { findProjectFile } from './project-file.js';
import { TrustedFiles } from './trusted-files.js';

/** The policy that every call has that names none. */
export const DEFAULT_NAME = 'default';
const MAX_BYTES = 1024 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** sandbox.yaml of the user, else the packaged one. */
export function readBase(paths: Paths): Pick<Layers, 'base' | 'builtIn'> {
  const own = join(paths.config, 'sandbox.yaml');
  const builtIn = !existsSync(own);
  return { base: readDocument(builtIn ? join(paths.packaged, 'sandbox.yaml') : own), builtIn };
}

/** What ollie-remote starts with on a host where nothing is set up. */
export function readRemoteBase(paths: Paths): Pick<Layers, 'base' | 'builtIn'> {
  return { base: readDocument(join(paths.packaged, 'sandbox-remote.yaml')), builtIn: true };
}

/** sandbox/NAME.yaml of the user, else the packaged one; undefined for the default. Throws NoSuchPolicyError. */
export function readNamed(paths: Paths, name: string): PolicyDocument | undefined {
  if (name === DEFAULT_NAME) return undefined;
  const places = [paths.config, paths.packaged].map((directory) => join(directory, 'sandbox', `${name}.yaml`));
  const file = NAME.test(name) ? places.find((place) => existsSync(place)) : undefined;
  if (file === undefined) throw new NoSuchPolicyError(name);
  return readDocument(file);
}

/** The file of the project around `cwd`. */
export function readProject(paths: Paths, cwd: string | undefined): Layers['project'] {
  const file = cwd === undefined ? undefined : findProjectFile(cwd);
  if (file === undefined) return undefined;
  const text = contentOf(file);
  return { document: parseDocument(text, file), trusted: new TrustedFiles(paths.data).has(file, text) };
}

/** Throws SandboxConfigError for what is no policy. */
export function checkPolicyFile(file: string): void {
  readDocument(file);
}

export function readDocument(file: string): PolicyDocument {
  return parseDocument(contentOf(file), file);
}

/** Anybody may have written a project's file. */
function contentOf(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw new SandboxConfigError(`${file}: longer than ${MAX_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof SandboxConfigError) throw error;
    throw new SandboxConfigError(`${file}: cannot be read: ${messageOf(error)}`);
  }
}
