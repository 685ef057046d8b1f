import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo, Paths, silentLog } from '#config';
import type { ExplainedPolicy } from '#sandbox';
import { fakeTool } from '#testkit';
import { Policies } from './policies.js';

describe('the policy of a call', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-policies-')));
    for (const name of ['tools', 'project', 'tmp', 'other', 'home']) mkdirSync(join(folder, name), { mode: 0o700 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('grants the tool directory as it was at the start, whatever stands in its place later', () => {
    const tools = join(folder, 'tools');
    const env = { HOME: join(folder, 'home'), OLLIE_TOOLS_PATH: tools };
    const policies = new Policies({ paths: Paths.from(env), env, node: process.execPath }, silentLog);
    const granted = () =>
      policies.for(fakeTool({ name: 'x' }, { directory: tools }), {
        cwd: join(folder, 'project'),
        tmp: join(folder, 'tmp'),
        name: 'default',
      });
    granted();
    renameSync(tools, join(folder, 'moved'));
    symlinkSync('/', tools);
    const { grants } = granted();
    expect(grants.filter(({ origin }) => origin === 'tool x').map(({ path }) => path)).toEqual([tools]);
    expect(grants.map(({ path }) => path)).not.toContain('/');
  });

  it('keeps to the project’s file as it was first read, also under another name and for another session', () => {
    const env = { HOME: join(folder, 'home'), OLLIE_CFG_PATH: join(folder, 'config') };
    const file = join(folder, 'project/.ollie-sandbox.yaml');
    writeFileSync(file, 'network: { enabled: false }\n');
    const policies = new Policies({ paths: Paths.from(env), env, node: process.execPath }, silentLog);
    const network = (name: string, tmp: string) =>
      policies.for(fakeTool({ name: 'x' }, { directory: join(folder, 'tools') }), {
        cwd: join(folder, 'project'),
        tmp: join(folder, tmp),
        name,
      }).network;
    expect(network('default', 'tmp')).toBe(false);
    rmSync(file);
    expect([network('readonly', 'tmp'), network('default', 'other')]).toEqual([false, false]);
  });

  it('is narrowed by the name that the call gives, and logs each of its remarks once', () => {
    const lines: string[] = [];
    const log = logTo([{ write: (line) => void lines.push(line), flush: () => Promise.resolve() }], 'test', 'debug');
    const env = { HOME: join(folder, 'home'), OLLIE_CFG_PATH: join(folder, 'config') };
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/sandbox.yaml'), "filesystem: { ro: [/no/such/place], rwx: ['{CWD}'] }\n");
    const policies = new Policies({ paths: Paths.from(env), env, node: process.execPath }, log);
    const accessOf = (name: string, tmp: string) =>
      policies
        .for(fakeTool({ name: 'x' }, { directory: join(folder, 'tools') }), { cwd: join(folder, 'project'), tmp, name })
        .grants.find(({ path }) => path === join(folder, 'project'))?.access;
    expect([accessOf('default', join(folder, 'tmp')), accessOf('readonly', join(folder, 'tmp'))]).toEqual(['rwx', 'rox']);
    accessOf('default', join(folder, 'other'));
    expect(lines).toEqual([expect.stringContaining('sandbox policy: ') as unknown]);
    expect(lines[0]).toContain('sandbox.yaml:1: filesystem.ro[0]: no such path: /no/such/place; skipped');
    expect(() => accessOf('nope', join(folder, 'tmp'))).toThrow('there is no policy named nope');
  });

  describe('of one of many', () => {
    let policies: Policies;
    let config: string;
    beforeEach(() => {
      const env = { HOME: join(folder, 'home'), OLLIE_CFG_PATH: join(folder, 'config') };
      mkdirSync(join(folder, 'config'));
      config = join(folder, 'config/sandbox.yaml');
      writeFileSync(config, "filesystem: { rwx: ['{CWD}'] }\nenv: [OLD]\n");
      policies = new Policies({ paths: Paths.from(env), env, node: process.execPath }, silentLog);
    });

    const policyIn = (tmp: string): ExplainedPolicy =>
      policies.for(fakeTool({ name: 'x' }, { directory: join(folder, 'tools') }), {
        cwd: join(folder, 'project'),
        tmp: join(folder, tmp),
        name: 'default',
      });
    const askForOthers = (count: number): void => {
      for (let other = 0; other < count; other += 1) policyIn(`tmp-${other}`);
    };

    it('is kept as long as it is among the last 256', () => {
      policyIn('tmp');
      writeFileSync(config, "filesystem: { rwx: ['{CWD}'] }\nenv: [NEW]\n");
      askForOthers(255);
      expect(policyIn('tmp').env).toEqual(['OLD']);
      askForOthers(256);
      expect(policyIn('tmp').env).toEqual(['NEW']);
    });

    it('keeps to the project’s file for good', () => {
      const file = join(folder, 'project/.ollie-sandbox.yaml');
      writeFileSync(file, 'network: { enabled: false }\n');
      writeFileSync(config, "filesystem: { rwx: ['{CWD}'] }\nnetwork: { enabled: true }\n");
      policyIn('tmp');
      rmSync(file);
      askForOthers(256);
      expect(policyIn('tmp').network).toBe(false);
    });

    it('is made for no directory that has become a link', () => {
      policyIn('tmp');
      renameSync(join(folder, 'project'), join(folder, 'moved'));
      symlinkSync(join(folder, 'other'), join(folder, 'project'));
      expect(policyIn('tmp').grants.map(({ path }) => path)).not.toContain(join(folder, 'other'));
      expect(() => policyIn('tmp-0')).toThrow(
        `project: was ${folder}/project when this server first worked there and is ${folder}/other now`,
      );
    });
  });
});
