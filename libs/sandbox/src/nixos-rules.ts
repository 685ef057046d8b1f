import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#config';
import { placeAt } from './path-check.js';
import type { PathRule } from './policy-document.js';

const PLACES = ['/nix/store', '/run/current-system', '/etc/profiles/per-user'];

/** On NixOS the programs lie elsewhere: what the built-in policies grant there besides. `root` is where the system's files are looked for. */
export function nixosRules(root = '/'): readonly PathRule[] {
  if (!isNixos(root)) return [];
  const rules = PLACES.map((text) => ({ text: join(root, text), access: 'rox', origin: 'NixOS' }) as const);
  return rules.filter(({ text }) => placeAt(text) !== undefined);
}

function isNixos(root: string): boolean {
  if (placeAt(join(root, 'etc/NIXOS')) !== undefined) return true;
  return /^ID="?nixos"?$/m.test(contentOf(join(root, 'etc/os-release')));
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return '';
  }
}
