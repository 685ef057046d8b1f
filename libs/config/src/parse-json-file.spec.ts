import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ConfigError } from './errors.js';
import { jsonFaultLine } from './json-fault.js';
import { loadJson } from './parse-json-file.js';

describe('a JSON file', () => {
  const root = mkdtempSync(join(tmpdir(), 'ollie-json-'));
  const file = join(root, 'config.json');
  afterAll(() => rmSync(root, { recursive: true }));

  it('is read to its values; one that is not there is undefined', () => {
    writeFileSync(file, '\uFEFF{"a": [1, "b"]}\n');
    expect(loadJson(file)).toEqual({ a: [1, 'b'] });
    expect(loadJson(join(root, 'none.json'))).toBeUndefined();
  });

  it('that cannot be understood is refused with file and line, and nothing of its text', () => {
    writeFileSync(file, '{\n  "key": "sk-secret",\n  "url": sk-secret\n}');
    expect(() => loadJson(file)).toThrow(new ConfigError(`${file}:3: not JSON`));
  });

  it('that cannot be read is refused with the reason', () => {
    mkdirSync(join(root, 'directory.json'));
    expect(() => loadJson(join(root, 'directory.json'))).toThrow(/directory\.json: cannot be read: EISDIR/);
    expect(() => loadJson(join(file, 'x'))).toThrow(/cannot be read: ENOTDIR/);
  });
});

describe('the line of a fault', () => {
  it.each([
    ['', 1],
    ['{"a": 1}', undefined],
    [' [ ] \n', undefined],
    ['{\n"a": 1,\n}', 3],
    ['{\n"a" 1}', 2],
    ['{\n\n"a": 01}', 3],
    ['[1\n2]', 2],
    ['{\n"a": "open', 2],
    ['{"a": "tab\there"}', 1],
    ['{}\n\n{}', 3],
    ['// no\n{}', 1],
    ['{\n"a": [true, nil]}', 2],
    ['{\n1: 2}', 2],
    ['[\n', 2],
  ])('%j: %p', (text, line) => {
    expect(jsonFaultLine(text)).toBe(line);
  });

  it('there is one exactly where JSON.parse finds one', () => {
    const mangled = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', '{', ':', '1', 'x', '\\', '\n'))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1));
    fc.assert(
      fc.property(fc.oneof(mangled, fc.json()), (text) => {
        expect(jsonFaultLine(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
