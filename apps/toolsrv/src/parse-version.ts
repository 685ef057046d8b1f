import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in an installation's package.json; `0` when it says none. */
export function installedVersion(root: string): string {
  const value: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  return typeof version === 'string' ? version : '0';
}
