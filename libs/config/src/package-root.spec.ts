import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageRoot } from './package-root.js';

describe('the root of the installation', () => {
  let folder: string;
  const add = (path: string, text: string): string => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-root-')));
    add('inst/package.json', '{ "name": "ollie" }');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is this repository while its tests run', () => {
    expect(packageRoot()).toBe(resolve(__dirname, '../../..'));
  });

  it('is the nearest package named ollie above the script, past other packages and broken ones', () => {
    add('inst/node_modules/x/package.json', '{ "name": "x" }');
    add('inst/node_modules/x/bin/package.json', 'not json');
    expect(packageRoot(add('inst/node_modules/x/bin/run.js', ''), '/')).toBe(join(folder, 'inst'));
  });

  it('follows the link through which a script is run', () => {
    const script = add('inst/dist/bin/o.cjs', '');
    symlinkSync(script, join(folder, 'o'));
    expect(packageRoot(join(folder, 'o'), '/')).toBe(join(folder, 'inst'));
  });

  it('is found from the current directory when the script is elsewhere, and else is that directory', () => {
    mkdirSync(join(folder, 'inst/deep'));
    expect(packageRoot('/nowhere/script.js', join(folder, 'inst/deep'))).toBe(join(folder, 'inst'));
    expect(packageRoot('/nowhere/script.js', folder)).toBe(folder);
  });
});
