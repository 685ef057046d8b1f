import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryCatalog } from './directory-catalog.js';

let root: string;
let own: string;
let packaged: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'catalog-'));
  [own, packaged] = [join(root, 'own'), join(root, 'packaged')];
  mkdirSync(own);
  mkdirSync(packaged);
});

afterEach(() => rmSync(root, { recursive: true }));

function put(directory: string, name: string, content: string, mode = 0o644): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

const catalog = (searchPath = '/usr/bin:/bin'): DirectoryCatalog => new DirectoryCatalog([own, packaged], searchPath);

describe('discovering tools', () => {
  test('tools are listed by name, with what they are and where they come from', () => {
    const b = put(packaged, 'b_tool.yaml', 'description: B\ncommand: echo b\n');
    const a = put(own, 'a_tool.yaml', 'description: A\ncommand: [echo, a]\n');
    expect(catalog().entries()).toEqual([
      { name: 'a_tool', description: 'A', source: a, available: true },
      { name: 'b_tool', description: 'B', source: b, available: true },
    ]);
  });

  test('the first directory that has a name wins, and a directory that is missing has none', () => {
    put(own, 'same.yaml', 'description: mine\ncommand: echo\n');
    put(packaged, 'same.yaml', 'description: theirs\ncommand: echo\n');
    const found = new DirectoryCatalog([join(root, 'absent'), own, packaged], '/bin').entries();
    expect(found.map((entry) => entry.description)).toEqual(['mine']);
  });

  test('a packaged schema is only compiled when arguments are checked', () => {
    put(packaged, 'x.yaml', 'description: x\ncommand: echo\ninput: {type: object, properties: {a: {type: txt}}}\n');
    put(packaged, 'y.yaml', 'description: y\ncommand: echo\ninput: {type: object, properties: {a: {type: string}}}\n');
    const trusting = new DirectoryCatalog([own, packaged], '/bin', packaged);
    expect(trusting.entries().map(({ available }) => available)).toEqual([true, true]);
    expect(() => trusting.find('x').check({})).toThrow(/txt/);
    expect(trusting.find('y').check({ a: 1 })).toBe('/a must be string');
  });

  test('an executable beside the metadata is what runs, whatever its ending', () => {
    put(own, 'deploy.yaml', 'description: x\n');
    put(own, 'deploy.txt', 'notes');
    const script = put(own, 'deploy.sh', '#!/bin/sh\n', 0o755);
    expect(catalog().find('deploy').command).toEqual({ type: 'file', path: script, interpreter: undefined });
  });

  test('with an interpreter the file need not be executable', () => {
    put(own, 'deploy.yaml', 'description: x\ninterpreter: sh\n');
    const script = put(own, 'deploy.sh', 'true\n');
    expect(catalog().find('deploy').command).toEqual({ type: 'file', path: script, interpreter: 'sh' });
  });

  test.each([
    ['a YAML error', 'description: [x\n', /^.*x\.yaml.*$/],
    ['an unknown key', 'description: x\nteir: hot\n', /unknown key: teir$/],
    ['a schema that is none', 'description: x\ncommand: echo\ninput: {type: object, properties: {a: {type: txt}}}\n', /input: /],
    ['nothing to run', 'description: x\n', /command: missing, and no executable x or x\.\* lies beside it$/],
    [
      'a missing program',
      'description: x\ncommand: echo\nrequires: [surely-not-installed]\n',
      /requires: surely-not-installed is not installed$/,
    ],
    ['a missing interpreter', 'description: x\ninterpreter: surely-not-installed\n', /interpreter: surely-not-installed is not installed$/],
  ])('%s makes that tool unavailable with the reason, and no other', (_what, content, reason) => {
    put(own, 'x.yaml', content);
    put(own, 'fine.yaml', 'description: fine\ncommand: echo\n');
    const tools = catalog();
    expect(tools.entries()).toMatchObject([
      { name: 'fine', available: true },
      { name: 'x', available: false, reason: expect.stringMatching(reason) },
    ]);
    expect(() => tools.find('x')).toThrow(/^no such tool: x: /);
    expect(() => tools.find('y')).toThrow('no such tool: y');
  });

  test('helpers, hidden files, directories and FIFOs are no tools', () => {
    put(own, '_helper.yaml', 'description: x\ncommand: echo\n');
    put(own, '.hidden.yaml', 'description: x\ncommand: echo\n');
    mkdirSync(join(own, 'folder.yaml'));
    execFileSync('mkfifo', [join(own, 'pipe.yaml')]);
    expect(catalog().entries()).toEqual([]);
  });

  test('a change is seen at the next look, without a restart', () => {
    const tools = catalog();
    const file = put(own, 'x.yaml', 'description: one\ncommand: echo\n');
    expect(tools.find('x').info.description).toBe('one');
    writeFileSync(file, 'description: two\ncommand: echo\n');
    utimesSync(file, 1, 1);
    expect(tools.find('x').info.description).toBe('two');
    rmSync(file);
    expect(tools.entries()).toEqual([]);
  });

  test('what the metadata says reaches the agent', () => {
    put(own, 'x.yaml', 'description: d\ncommand: echo\ntier: cold\nparallel: read\ntimeout: 5\nbackground: true\nenv: [GOOS]\npass: env\n');
    expect(catalog().find('x')).toMatchObject({
      info: { name: 'x', tier: 'cold', parallel: 'read', bypass: 'never', timeout: 5, background: true, inputSchema: { type: 'object' } },
      directory: own,
      env: ['GOOS'],
      pass: 'env',
    });
  });
});
