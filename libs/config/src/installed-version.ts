import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePackageField } from './parse-package-field.js';

/** The version in an installation's package.json; `0` when it says none. */
export function installedVersion(root: string): string {
  return parsePackageField(readFileSync(join(root, 'package.json'), 'utf8'), 'version') ?? '0';
}
