import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SandboxConfigError } from './errors.js';
import { checkPolicyFile } from './policy-files.js';
import { PROJECT_FILE } from './project-file.js';
import { TrustedFiles } from './trusted-files.js';

/**
 * The file of a project that may be trusted: `path` itself, or the one in the directory that it names. Throws SandboxConfigError
 * for other files: of those nothing is ever asked, so trusting one would be a mistake.
 */
export function trustableFile(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, PROJECT_FILE) : path;
  if (basename(file) !== PROJECT_FILE) throw new SandboxConfigError(`${file}: only a file named ${PROJECT_FILE} can be trusted`);
  return file;
}

/** Trusts it as it is now, and gives its path. Throws SandboxConfigError, also when it makes no sense as a policy. */
export function trustProject(path: string, dataDirectory: string): string {
  const file = trustableFile(path);
  checkPolicyFile(file);
  new TrustedFiles(dataDirectory).add(file);
  return file;
}
