import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainCommand, parsePolicy, programGrants, withProgram, type ExplainedPolicy } from './index.js';
import { programOf } from './program-chain.js';

describe('the program of a command', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-program-')));
    for (const name of ['bin', 'work', 'tmp', 'home', 'secret']) mkdirSync(join(root, name));
    script('bin/plain', 'echo\n');
    script('bin/tool', '#!/bin/sh -e\n');
    script('bin/envtool', '#!/usr/bin/env -S X=1 sh -x\n');
    script('bin/nested', `#!${root}/bin/tool\n`);
    script('bin/lost', '#!/no/such/interpreter\n');
    script('bin/dull', '#!/bin/sh\n', 0o644);
    script('work/mine', '#!/bin/sh\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const script = (name: string, text: string, mode = 0o755): void => writeFileSync(join(root, name), text, { mode });
  const surroundings = () => ({ cwd: join(root, 'work'), path: `relative::${root}/none:${root}/bin:/usr/bin:/bin` });
  const SH = realpathSync('/bin/sh');
  const policyOf = (text: string): ExplainedPolicy =>
    parsePolicy(text, 'p', {
      CWD: join(root, 'work'),
      TMPDIR: join(root, 'tmp'),
      HOME: join(root, 'home'),
      OLLIE_CFG_PATH: join(root, 'secret'),
    });
  const added = (text: string, program: string): readonly string[] =>
    programGrants(policyOf(text), program, surroundings()).map(
      ({ access, path, origin }) => `${access} ${path.replace(root, '')} ${origin}`,
    );

  it.each<readonly [string, readonly string[], string | undefined]>([
    ['tool', ['/bin/tool', 'SH'], undefined],
    ['plain', ['/bin/plain', 'SH'], undefined],
    ['envtool', ['/bin/envtool', 'ENV', 'SH'], undefined],
    ['nested', ['/bin/nested', '/bin/tool', 'SH'], undefined],
    ['./mine', ['/work/mine', 'SH'], undefined],
    ['mine', [], 'mine'],
    ['dull', [], 'dull'],
    ['lost', ['/bin/lost'], '/no/such/interpreter'],
    ['nope', [], 'nope'],
  ])('%s is %j', (name, files, missing) => {
    const program = programOf(name, surroundings());
    const real = (file: string): string => (file === 'SH' ? SH : file === 'ENV' ? realpathSync('/usr/bin/env') : join(root, file));
    expect(program.files.map((file) => file.real)).toEqual(files.map(real));
    expect(program.missing).toBe(missing);
  });

  it('that is its own interpreter is not followed for ever', () => {
    script('bin/loop', `#!${root}/bin/loop\n`);
    expect(programOf('loop', surroundings()).files.length).toBeLessThan(10);
  });

  describe('is added to the policy', () => {
    it('by add_exec, with its interpreters; not by default', () => {
      expect(added('', 'tool')).toEqual([]);
      expect(added('advanced: { add_exec: true }', 'tool')).toEqual([
        'rox /bin/tool p:1: advanced.add_exec',
        `rox ${SH} p:1: advanced.add_exec`,
      ]);
    });

    it('by ldd with its libraries alone', () => {
      const grants = added('advanced: { ldd: true }', 'sh');
      expect(grants).toContainEqual(expect.stringMatching(/^rox .*libc\.so\.6 p:1: advanced\.ldd$/));
      expect(grants).toContainEqual(expect.stringMatching(/^rox .*ld-linux/));
      expect(grants).toContain('ro /etc/ld.so.cache p:1: advanced.ldd');
      expect(grants.join()).not.toContain(`${SH} `);
    });

    it('with the links that lead there, which a cell has to hold too', () => {
      symlinkSync(join(root, 'bin/plain'), join(root, 'home/name'));
      const { links } = withProgram(policyOf('advanced: { add_exec: true }'), join(root, 'home/name'), surroundings());
      expect(links).toContain(join(root, 'home/name'));
      expect(withProgram(policyOf(''), join(root, 'home/name'), surroundings()).links).not.toContain(join(root, 'home/name'));
    });

    it('with nothing but itself when tools can write it, or what it is run by', () => {
      const text = "filesystem: { rw: ['{CWD}'] }\nadvanced: { ldd: true, add_exec: true }";
      expect(added(text, './mine')).toEqual(['rox /work/mine p:2: advanced.add_exec']);
    });

    it('with nothing at all when it is a link that leads out of where tools can write', () => {
      symlinkSync(join(root, 'bin/tool'), join(root, 'work/alias'));
      const text = "filesystem: { rw: ['{CWD}'] }\nadvanced: { ldd: true, add_exec: true }";
      expect(added(text, './alias').join()).not.toContain('/bin/tool');
    });

    it('never with what is closed', () => {
      script('secret/tool', '#!/bin/sh\n');
      expect(added('advanced: { add_exec: true }', join(root, 'secret/tool'))).toEqual([`rox ${SH} p:1: advanced.add_exec`]);
    });
  });

  describe('is explained', () => {
    const denied = (text: string, ...argv: readonly string[]): readonly string[] =>
      explainCommand(policyOf(text), argv, surroundings())
        .filter((finding) => finding.denied !== undefined)
        .map(({ what, path, denied: why }) => `${what} ${path.replace(root, '')}: ${why ?? ''}`);
    const OPEN = "filesystem: { rox: [/usr, /bin, /lib, /lib64], rwx: ['{CWD}'] }\n";

    it('with nothing denied where all is granted', () => {
      expect(denied(OPEN, 'sh', '-c', 'echo', './mine')).toEqual([]);
    });

    it.each<readonly [string, readonly string[], readonly string[]]>([
      [OPEN, ['tool'], ['program /bin/tool: executing: filesystem.rox']],
      [OPEN.replace('rwx', 'rw'), ['./mine'], ['program /work/mine: executing: filesystem.rwx']],
      [OPEN, ['nope'], ['program nope: not found']],
      [OPEN, ['cat', 'ROOT/home/x'], ['argument /home/x: reading and writing: filesystem.ro']],
      [OPEN, ['cat', '--file=ROOT/home/x'], ['argument /home/x: reading and writing: filesystem.ro']],
      [OPEN, ['sh', '-c', 'cat <ROOT/home/x | wc'], ['argument /home/x: reading and writing: filesystem.ro']],
      [OPEN, ['cat', 'ROOT/secret/x'], ["argument /secret/x: closed to tools (Ollie's configuration), whatever the lists say"]],
    ])('%j lets %j down in %j', (text, argv, expected) => {
      const findings = denied(text, ...argv.map((word) => word.replace('ROOT', root)));
      for (const [index, begin] of expected.entries()) expect(findings[index]).toContain(begin);
      expect(findings).toHaveLength(expected.length);
    });

    it('with all that it needs where nothing is granted', () => {
      expect(denied('', 'sh').slice(0, 3)).toEqual(
        ['working directory /work', 'program /', 'library /'].map((begin) => expect.stringContaining(begin) as unknown),
      );
    });

    it('follows links, and says so', () => {
      symlinkSync(join(root, 'home'), join(root, 'work/out'));
      expect(denied(OPEN, 'ls', 'out')).toEqual([expect.stringContaining(`argument /work/out -> ${root}/home: reading and writing`)]);
    });

    it('counts what ldd and add_exec add', () => {
      expect(denied("filesystem: { ro: ['{CWD}'] }\nadvanced: { ldd: true, add_exec: true }", 'tool')).toEqual([]);
    });
  });
});
