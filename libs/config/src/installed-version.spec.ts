import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedVersion } from './installed-version.js';

describe('the version of an installation', () => {
  it.each([
    ['{ "name": "ollie", "version": "1.2.3" }', '1.2.3'],
    ['{ "name": "ollie" }', '0'],
    ['{ "version": 3 }', '0'],
    ['[]', '0'],
    ['no JSON', '0'],
  ])('of %s is %s', (text, version) => {
    const folder = mkdtempSync(join(tmpdir(), 'ollie-version-'));
    writeFileSync(join(folder, 'package.json'), text);
    expect(installedVersion(folder)).toBe(version);
    rmSync(folder, { recursive: true });
  });
});
