import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nixosRules } from './nixos-rules.js';

describe('NixOS', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ollie-nixos-'));
    for (const name of ['etc', 'nix/store', 'run/current-system']) mkdirSync(join(root, name), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const found = (): readonly string[] => nixosRules(root).map(({ access, text }) => `${access} ${text.slice(root.length)}`);

  it.each([
    ['etc/NIXOS', ''],
    ['etc/os-release', 'NAME=NixOS\nID=nixos\n'],
    ['etc/os-release', 'ID="nixos"\n'],
  ])('is known by %s (%j), and then its store and its system can be run', (file, content) => {
    writeFileSync(join(root, file), content);
    expect(found()).toEqual(['rox /nix/store', 'rox /run/current-system']);
  });

  it.each(['', 'ID=debian\n', 'ID=nixosish\n', 'ID_LIKE=nixos\n'])('is not known by %j', (content) => {
    if (content !== '') writeFileSync(join(root, 'etc/os-release'), content);
    expect(found()).toEqual([]);
  });
});
