import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './errors.js';
import { loadYaml, parseYaml } from './yaml.js';

describe('yaml', () => {
  it('is read from a file to plain values', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ollie-yaml-'));
    writeFileSync(join(folder, 'a.yaml'), 'a: [1, x]\nb: { c: true }\n');
    expect(loadYaml(join(folder, 'a.yaml'))).toEqual({ a: [1, 'x'], b: { c: true } });
    rmSync(folder, { recursive: true });
  });

  it('is null when there is nothing in it', () => {
    expect(parseYaml('# only words\n', 'x')).toBeNull();
  });

  it.each([
    ['a: 1\nb: [1', /^f\.yaml:2: .+/],
    ['a: 1\na: 2\n', /^f\.yaml:2: duplicated mapping key/],
    ['a: 1\n---\nb: 2\n', /^f\.yaml: expected one document, found 2$/],
  ])('names the place and the reason of %j', (text, message) => {
    expect(() => parseYaml(text, 'f.yaml')).toThrow(ConfigError);
    expect(() => parseYaml(text, 'f.yaml')).toThrow(message);
  });

  it('names a file that cannot be read', () => {
    expect(() => loadYaml('/nowhere/a.yaml')).toThrow(/^\/nowhere\/a\.yaml: cannot be read: .*ENOENT/);
  });
});
