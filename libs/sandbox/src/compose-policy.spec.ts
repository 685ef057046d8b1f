import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Paths } from '#config';
import { loadPolicy, NoSuchPolicyError, SandboxConfigError, TrustedFiles, type ExplainedPolicy, type PolicyChoice } from './index.js';

describe('a policy of several files', () => {
  let root: string;
  let paths: Paths;
  beforeEach(() => {
    root = realpathSync(mkdtempSync('/tmp/ollie-layers-'));
    for (const name of ['home/.cache/pip', 'repo/.git', 'repo/sub', 'tmp', 'lib/deep', 'other', 'config', 'data'])
      mkdirSync(join(root, name), { recursive: true });
    paths = Paths.from({ HOME: join(root, 'home'), OLLIE_CFG_PATH: join(root, 'config'), OLLIE_DATA_PATH: join(root, 'data') });
    put('config/sandbox.yaml', BASE());
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const BASE = (): string =>
    `filesystem: { rox: ['${root}/lib'], rw: ['${root}/other'], rwx: ['{CWD}'] }\nnetwork: { enabled: true }\nenv: [PATH, LC_*]\n`;
  const put = (path: string, content: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    return join(root, path);
  };
  const load = (name = 'default', cwd = 'repo'): ExplainedPolicy => loadChoice({ type: 'usual', name }, cwd);
  const loadChoice = (choice: PolicyChoice, cwd = 'repo'): ExplainedPolicy =>
    loadPolicy(paths, { CWD: join(root, cwd), TMPDIR: join(root, 'tmp') }, choice);
  const granted = ({ grants }: ExplainedPolicy): readonly string[] =>
    grants.filter(({ path }) => path.startsWith(root)).map(({ access, path }) => `${access} ${path.slice(root.length)}`);
  const trust = (file: string): void => new TrustedFiles(paths.data).add(file);

  it('is the base alone where there is nothing else', () => {
    const policy = load();
    expect(granted(policy)).toEqual(['rox /lib', 'rw /other', 'rwx /repo', 'rwx /tmp']);
    expect(policy.sources).toEqual([{ file: join(root, 'config/sandbox.yaml'), role: 'base', effect: 'whole' }]);
    expect(policy.origins).toEqual({
      bestEffort: 'default',
      network: `${root}/config/sandbox.yaml:2: network.enabled`,
      ldd: 'default',
      addExec: 'default',
      cell: 'default',
    });
    expect(policy.envOrigins).toEqual({ PATH: `${root}/config/sandbox.yaml:3: env[0]`, 'LC_*': `${root}/config/sandbox.yaml:3: env[1]` });
    expect(policy.grants[0]?.origin).toBe(`${root}/config/sandbox.yaml:1: filesystem.rox[0]`);
  });

  describe('one of them named', () => {
    it.each<readonly [string, readonly string[]]>([
      ['network: { enabled: false }', ['rox /lib', 'rw /other', 'rwx /repo', 'rwx /tmp']],
      ['filesystem: { rox: [/] }', ['rox /lib', 'ro /other', 'rox /repo', 'rwx /tmp']],
      ["filesystem: { rwx: ['{CWD}'] }", ['rwx /repo', 'rwx /tmp']],
      ["filesystem: { ro: ['{CWD}/sub', /none] }", ['ro /repo/sub', 'rwx /tmp']],
      ["filesystem: { rwx: ['ROOT/lib/deep'] }", ['rox /lib/deep', 'rwx /tmp']],
      ["filesystem: { rwx: ['ROOT/home'] }", ['rwx /tmp']],
      ['filesystem: { ro: [] }', ['rwx /tmp']],
      ["filesystem: { deny: ['ROOT/lib'] }", ['rw /other', 'rwx /repo', 'rwx /tmp']],
    ])('%s narrows to %j', (text, expected) => {
      put('config/sandbox/mine.yaml', text.replaceAll('ROOT', root));
      expect(granted(load('mine'))).toEqual(expected);
    });

    it('turns switches off and never on, and keeps only variables that both name', () => {
      put('config/sandbox/mine.yaml', 'network: { enabled: false }\ngeneral: { best_effort: false }\nenv: [LC_ALL, HOME]\n');
      expect(load('mine')).toMatchObject({ network: false, bestEffort: false, env: ['LC_ALL'] });
      put('config/sandbox.yaml', 'network: { enabled: false }\ngeneral: { best_effort: false }\n');
      put(
        'config/sandbox/mine.yaml',
        'network: { enabled: true }\ngeneral: { best_effort: true }\nadvanced: { ldd: true, add_exec: true }\nenv: [HOME]\n',
      );
      expect(load('mine')).toMatchObject({ network: false, bestEffort: false, ldd: false, addExec: false, env: [] });
    });

    it('comes from the user, else from the package', () => {
      expect(granted(load('readonly'))).toEqual(['rox /lib', 'ro /other', 'rox /repo', 'rwx /tmp']);
      expect(load('offline')).toMatchObject({ network: false });
      put('config/sandbox/offline.yaml', 'filesystem: { ro: [] }\n');
      expect(load('offline')).toMatchObject({ network: true });
    });

    it.each(['nope', '../sandbox', 'a/b', '', '.hidden', 'x\0'])('%j, when there is none, is refused', (name) => {
      expect(() => load(name)).toThrow(NoSuchPolicyError);
      expect(() => load(name)).toThrow(`there is no policy named ${name}`);
    });
  });

  describe('one of them the project’s', () => {
    const SEED = (): string => `filesystem:\n  rw:\n    - "${root}/home"\n    - "{HOME}/.cache"\nenv:\n    - DOCKER_HOST\n`;

    it('has no effect where it widens, and says so', () => {
      const file = put('repo/.ollie-sandbox.yaml', `${SEED()}network: { enabled: true }\n`);
      const policy = load();
      expect(granted(policy)).toEqual(['rox /lib', 'rw /other', 'rwx /repo', 'rwx /tmp']);
      expect(policy.env).toEqual(['PATH', 'LC_*']);
      expect(policy.notes).toEqual(
        ['6: env[0]: DOCKER_HOST', `3: filesystem.rw[0]: ${root}/home`, `4: filesystem.rw[1]: ${root}/home/.cache`].map(
          (what) => `${file}:${what} would widen the policy; no effect until you trust this file (toolsrv sandbox trust ${file})`,
        ),
      );
    });

    it('says nothing of what is granted anyway', () => {
      put('repo/.ollie-sandbox.yaml', `filesystem: { ro: ['{CWD}', '${root}/lib/deep'] }\nenv: [PATH]\n`);
      expect(load().notes).toEqual([]);
    });

    it('may not add rights to what is granted', () => {
      put('repo/.ollie-sandbox.yaml', `filesystem: { rwx: ['${root}/lib/deep'] }\n`);
      const policy = load();
      expect(granted(policy)).toEqual(['rox /lib', 'rw /other', 'rwx /repo', 'rwx /tmp']);
      expect(policy.notes).toEqual([expect.stringContaining(`${root}/lib/deep would widen the policy`)]);
    });

    it('may not turn switches on', () => {
      put('config/sandbox.yaml', 'network: { enabled: false }\n');
      put('repo/.ollie-sandbox.yaml', 'network: { enabled: true }\nadvanced: { add_exec: true }\n');
      const policy = load();
      expect(policy).toMatchObject({ network: false, addExec: false });
      expect(policy.notes).toEqual([
        expect.stringContaining('network.enabled: true would widen the policy'),
        expect.stringContaining('advanced.add_exec: true would widen the policy'),
      ]);
    });

    it('narrows without being asked', () => {
      put(
        'repo/.ollie-sandbox.yaml',
        "network: { enabled: false }\ngeneral: { best_effort: false }\nfilesystem: { deny: ['{CWD}/.git'] }\n",
      );
      const policy = load();
      expect(policy).toMatchObject({ network: false, bestEffort: false });
      expect(granted(policy)).toEqual(['rox /lib', 'rw /other', 'rwx /repo/.ollie-sandbox.yaml', 'rwx /repo/sub', 'rwx /tmp']);
    });

    it('widens once its content is trusted, until it changes', () => {
      const file = put('repo/.ollie-sandbox.yaml', SEED());
      trust(file);
      const policy = load();
      expect(granted(policy)).toContain('rw /home/.cache/pip');
      expect(policy).toMatchObject({
        env: ['PATH', 'LC_*', 'DOCKER_HOST'],
        sources: [{ role: 'base' }, { role: 'project', effect: 'trusted' }],
      });
      writeFileSync(file, `${SEED()}#\n`);
      expect(granted(load())).not.toContain('rw /home/.cache/pip');
      writeFileSync(file, SEED());
      expect(granted(load())).toContain('rw /home/.cache/pip');
      new TrustedFiles(paths.data).remove(file);
      expect(granted(load())).not.toContain('rw /home/.cache/pip');
    });

    it('is still narrowed by a named one when it is trusted', () => {
      trust(put('repo/.ollie-sandbox.yaml', SEED()));
      expect(granted(load('readonly'))).toContain('ro /home/.cache/pip');
    });

    it('is looked for up to the root of the repository, and no further', () => {
      put('.ollie-sandbox.yaml', 'network: { enabled: false }\n');
      expect(load('default', 'repo/sub').network).toBe(true);
      put('repo/.ollie-sandbox.yaml', 'network: { enabled: false }\n');
      expect(load('default', 'repo/sub').network).toBe(false);
      expect(load('default', 'lib/deep').network).toBe(true);
    });

    it('that is a link to a trusted file is not trusted', () => {
      const file = put('other/.ollie-sandbox.yaml', SEED());
      trust(file);
      symlinkSync(file, join(root, 'repo/.ollie-sandbox.yaml'));
      expect(load().sources[1]?.effect).toBe('narrows');
    });

    it('that cannot be understood refuses every tool of that directory', () => {
      const file = put('repo/.ollie-sandbox.yaml', 'general: {}\nfilesytem: {}\n');
      expect(() => load()).toThrow(SandboxConfigError);
      expect(() => load()).toThrow(`${file}:2: unknown key "filesytem"`);
      writeFileSync(file, `#${'x'.repeat(1024 * 1024)}`);
      expect(() => load()).toThrow(`${file}: longer than`);
    });
  });

  describe('and what is Ollie’s own', () => {
    const OPEN = [
      'ro /config/skills',
      'rox /config/tools',
      'rwx /home/.cache/pip',
      'rwx /home/.config',
      'rwx /lib',
      'rwx /other',
      'rwx /repo',
      'rwx /tmp',
    ];
    it.each<readonly [string, readonly string[]]>([
      ["rwx: ['ROOT']", OPEN],
      ["rwx: ['{HOME}']", ['rwx /home/.cache/pip', 'rwx /home/.config', 'rwx /tmp']],
      ["ro: ['ROOT/config', 'ROOT/data']", ['ro /config/skills', 'ro /config/tools', 'rwx /tmp']],
      ["rwx: ['{OLLIE_CFG_PATH}/tools']", ['rox /config/tools', 'rwx /tmp']],
      ["rwx: ['{OLLIE_CFG_PATH}']", ['ro /config/skills', 'rox /config/tools', 'rwx /tmp']],
      ["rwx: ['ROOT/config/alias']", ['rwx /tmp']],
      ["rwx: ['ROOT/lib/alias']", ['rwx /tmp']],
      ["rw: ['{HOME}/.cache']", ['rw /home/.cache/pip', 'rwx /tmp']],
    ])('%s grants %j', (rule, expected) => {
      for (const name of ['config/tools', 'config/skills', 'home/.config']) mkdirSync(join(root, name));
      symlinkSync(join(root, 'data'), join(root, 'lib/alias'));
      symlinkSync('/etc', join(root, 'config/alias'));
      put('config/sandbox.yaml', `filesystem: { ${rule.replaceAll('ROOT', root)} }\n`);
      expect(granted(load()).toSorted()).toEqual(expected);
    });

    it('has no opening within what is denied, but for TMPDIR', () => {
      mkdirSync(join(root, 'config/tools'));
      put('config/sandbox.yaml', `filesystem: { rox: ['{OLLIE_CFG_PATH}/tools', '${root}/lib'], deny: ['${root}'] }\n`);
      expect(granted(load())).toEqual(['rwx /tmp']);
    });

    it('the packaged configuration and the helper can be read and run, not written', () => {
      put('config/sandbox.yaml', `filesystem: { rwx: ['${dirname(paths.packaged)}/config', '${dirname(paths.packaged)}/native/build'] }\n`);
      const { grants, notes } = load();
      expect(grants).toContainEqual(expect.objectContaining({ path: paths.packaged, access: 'rox' }));
      expect(grants).toContainEqual(expect.objectContaining({ path: join(dirname(paths.packaged), 'native/build'), access: 'rox' }));
      expect(grants.filter(({ path, access }) => /build.ollie-sandbox$/.test(path) && access !== 'rox')).toEqual([]);
      expect(notes[0]).toContain("is Ollie's installation; granted as rox at most");
    });

    it('closes the namespace, the mount and the cache', () => {
      put('config/sandbox.yaml', "filesystem: { ro: ['{HOME}'] }\n");
      for (const name of ['home/ns', 'home/mnt/ollie', 'home/mnt/usb', 'home/.cache/ollie'])
        mkdirSync(join(root, name), { recursive: true });
      const variables = { CWD: join(root, 'repo'), TMPDIR: join(root, 'tmp'), NAMESPACE: join(root, 'home/ns') };
      expect(granted(loadPolicy(paths, variables)).toSorted()).toEqual(['ro /home/.cache/pip', 'ro /home/mnt/usb', 'rwx /tmp']);
    });

    it('does not close the private TMPDIR that lies in it', () => {
      mkdirSync(join(root, 'data/tmp'));
      const { grants } = loadPolicy(paths, { CWD: join(root, 'repo'), TMPDIR: join(root, 'data/tmp') });
      expect(grants).toContainEqual(expect.objectContaining({ path: join(root, 'data/tmp'), access: 'rwx' }));
    });
  });

  it('is one file alone when that is asked for', () => {
    put('repo/.ollie-sandbox.yaml', 'network: { enabled: false }\n');
    const file = put('own.yaml', "filesystem: { ro: ['{CWD}'] }\n");
    const policy = loadChoice({ type: 'file', file });
    expect(granted(policy)).toEqual(['ro /repo', 'rwx /tmp']);
    expect(policy).toMatchObject({ network: true, sources: [{ file, role: 'base' }] });
    expect(() => loadChoice({ type: 'file', file: join(root, 'none') })).toThrow(`${root}/none: cannot be read`);
  });

  it('starts on a remote host from the embedded default, exactly', () => {
    const text = readFileSync(join(paths.packaged, 'sandbox-remote.yaml'), 'utf8');
    const rules = text
      .replaceAll(/ *#.*\n/g, '\n')
      .split('\n')
      .filter((line) => line !== '');
    expect(rules).toEqual(SEEDS_DEFAULT.split('\n'));
    const policy = loadChoice({ type: 'remote', name: 'default' });
    expect(granted(policy)).toContain('rwx /repo');
    expect(policy.grants).toContainEqual(expect.objectContaining({ path: '/dev', access: 'ro' }));
    expect(policy.notes.join('\n')).toContain('SSH_AUTH_SOCK is withheld');
    put('repo/.ollie-sandbox.yaml', 'network: { unrestricted: false }\n');
    expect(loadChoice({ type: 'remote', name: 'default' }).network).toBe(false);
  });
});

const SEEDS_DEFAULT = `filesystem:
  ro:
    - /etc
    - /proc
    - /sys
    - /dev
    - '{HOME}/.ssh/known_hosts'
    - '{HOME}/.gitconfig'
    - '{HOME}/.netrc'
  rox:
    - /usr
    - /lib
    - /lib64
    - /bin
    - /sbin
    - '{HOME}/go/bin'
    - '{HOME}/.cargo/bin'
    - '{HOME}/.local/bin'
    - '{HOME}/.nvm'
    - '{HOME}/.pyenv'
    - '{OLLIE_TOOLS_PATH}'
  rwx:
    - '{CWD}'
    - '{TMPDIR}'
    - '{HOME}/.cache'
    - '{HOME}/go'
    - '{HOME}/.cargo'
    - '{HOME}/.npm'
    - '{HOME}/.cache/go-build'
env:
  - PATH
  - HOME
  - TMPDIR
  - GOPATH
  - GOBIN
  - SSH_AUTH_SOCK
network:
  unrestricted: true
general:
  best_effort: true`;
