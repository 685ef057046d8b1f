import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { Paths } from '#config';
import { loadPolicy, parsePolicy, SandboxConfigError, type PathVariables, type SandboxPolicy } from './index.js';

describe('a sandbox policy', () => {
  let root: string;
  let variables: PathVariables;
  beforeEach(() => {
    root = realpathSync(mkdtempSync('/tmp/ollie-policy-'));
    for (const name of ['home', 'home/sub', 'work', 'tmp', 'lib']) mkdirSync(join(root, name));
    variables = { HOME: join(root, 'home'), CWD: join(root, 'work'), TMPDIR: join(root, 'tmp') };
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const parse = (text: string, change: PathVariables = {}): SandboxPolicy => parsePolicy(text, 'sandbox.yaml', { ...variables, ...change });
  const classOf = (policy: SandboxPolicy, path: string) => policy.grants.find((grant) => grant.path === path)?.access;
  const granted = (text: string, change: PathVariables = {}): readonly string[] =>
    parse(text, change)
      .grants.filter(({ origin }) => origin !== 'every policy')
      .map(({ access, path }) => `${access} ${path.replace(root, '')}`);

  it('has defaults for everything', () => {
    expect(parse('')).toMatchObject({ bestEffort: true, network: true, env: [], ldd: false, addExec: false, notes: [] });
  });

  it('grants every policy the harmless devices, read and write, and the temporary directory', () => {
    const policy = parse('');
    for (const device of ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty'])
      expect(classOf(policy, device)).toBe('rw');
    expect(classOf(policy, realpathSync('/etc/localtime'))).toBe('ro');
    expect(classOf(policy, '/dev/pts')).toBeUndefined();
    expect(classOf(policy, join(root, 'tmp'))).toBe('rwx');
  });

  it('expands variables and keeps the class of each list', () => {
    const text = "filesystem: { ro: ['{HOME}/sub'], rox: [/usr/bin], rw: ['{HOME}//sub/../sub/'], rwx: ['{CWD}'] }";
    expect(() => granted(text)).toThrow('sandbox.yaml:1: filesystem.rw[0]: ".." in a path');
    expect(granted(text.replace('../sub/', ''))).toEqual(['rw /home/sub', 'rox /usr/bin', 'rwx /work']);
  });

  it.each([
    ['ro', 'rox', 'rox'],
    ['rox', 'rw', 'rwx'],
    ['ro', 'rw', 'rw'],
    ['rw', 'rwx', 'rwx'],
  ])('adds %s and %s of one path up to %s, also through a link', (one, other, sum) => {
    symlinkSync(join(root, 'lib'), join(root, 'link'));
    expect(granted(`filesystem: { ${one}: ['${root}/lib'], ${other}: ['${root}/link'] }`)).toEqual([`${sum} /lib`]);
  });

  it('gives one grant for each entry of a list of ours', () => {
    const OLLIE_TOOLS_PATH = `${root}/lib::${root}/home/sub`;
    expect(granted("filesystem: { rox: ['{OLLIE_TOOLS_PATH}'] }", { OLLIE_TOOLS_PATH })).toEqual(['rox /lib', 'rox /home/sub']);
  });

  it('takes base directories from the environment, else from their defaults', () => {
    mkdirSync(join(root, 'home/.config'));
    const text = "filesystem: { ro: ['{XDG_CONFIG_HOME}'] }";
    expect(granted(text)).toEqual(['ro /home/.config']);
    expect(granted(text, { XDG_CONFIG_HOME: join(root, 'lib') })).toEqual(['ro /lib']);
    expect(granted(text, { XDG_CONFIG_HOME: 'relative' })).toEqual(['ro /home/.config']);
  });

  it('gives one grant for each absolute entry of a list of base directories, which has a default', () => {
    const text = "filesystem: { ro: ['{XDG_DATA_DIRS}'] }";
    expect(granted(text, { XDG_DATA_DIRS: `rel:${root}/lib:x/y:${root}/home/sub` })).toEqual(['ro /lib', 'ro /home/sub']);
    expect(granted(text)).toContain('ro /usr/share');
  });

  it('skips a rule whose variable has no value, and says so', () => {
    const text = "filesystem: { rw: ['{OLLIE_UNSET}/lib', '{XDG_WHATEVER}'] }";
    expect(granted(text, { OLLIE_UNSET: '' })).toEqual([]);
    expect(parse(text).notes).toEqual([
      'sandbox.yaml:1: filesystem.rw[0]: {OLLIE_UNSET} is not set; skipped',
      'sandbox.yaml:1: filesystem.rw[1]: {XDG_WHATEVER} is not set; skipped',
    ]);
  });

  it('skips a missing path under best effort, and refuses it otherwise', () => {
    const text = 'filesystem: { ro: [/no/such/place] }';
    expect(parse(text).notes).toEqual(['sandbox.yaml:1: filesystem.ro[0]: no such path: /no/such/place; skipped']);
    expect(() => parse(`general: { best_effort: false }\n${text}`)).toThrow(
      'sandbox.yaml:2: filesystem.ro[0]: no such path: /no/such/place',
    );
  });

  it.each([
    ['filesytem: {}', 'sandbox.yaml:1: unknown key "filesytem"'],
    ['filesystem: { rwz: [] }', 'sandbox.yaml:1: filesystem: unknown key "rwz"'],
    ['general: { besteffort: true }', 'sandbox.yaml:1: general: unknown key "besteffort"'],
    ['network: { enable: false }', 'sandbox.yaml:1: network: unknown key "enable"'],
    ['network: { enabled: "no" }', 'sandbox.yaml:1: network.enabled: expected true or false'],
    [
      'network: { enabled: false, unrestricted: true }',
      'sandbox.yaml:1: network.unrestricted: enabled and unrestricted contradict each other',
    ],
    ['network: off', 'sandbox.yaml:1: network: expected a mapping'],
    ['filesystem: { ro: /etc }', 'sandbox.yaml:1: filesystem.ro: expected a list'],
    ['filesystem: { ro: [7] }', 'sandbox.yaml:1: filesystem.ro[0]: expected a text'],
    ['filesystem: { ro: [etc] }', 'sandbox.yaml:1: filesystem.ro[0]: not an absolute path: etc'],
    ['filesystem: { ro: [~/x] }', 'sandbox.yaml:1: filesystem.ro[0]: write {HOME} instead of ~: ~/x'],
    ['filesystem: { ro: ["{PWD}"] }', 'sandbox.yaml:1: filesystem.ro[0]: unknown variable {PWD}'],
    ['filesystem: { ro: ["/a/{CWD"] }', 'sandbox.yaml:1: filesystem.ro[0]: unbalanced bracket'],
    ['env: ["*"]', 'sandbox.yaml:1: env[0]: not a variable name: *'],
    ['env: [A-B]', 'sandbox.yaml:1: env[0]: not a variable name: A-B'],
    ['advanced: { ldd: 1 }', 'sandbox.yaml:1: advanced.ldd: expected true or false'],
    ['- list', 'sandbox.yaml: expected a mapping'],
    ['a: [', 'sandbox.yaml'],
  ])('refuses %s by place and name', (text, message) => {
    expect(() => parse(text)).toThrow(SandboxConfigError);
    expect(() => parse(text)).toThrow(message);
  });

  it.each(['enabled', 'unrestricted'])('reads network.%s', (key) => {
    expect(parse(`network: { ${key}: false }`).network).toBe(false);
    expect(parse(`network: { ${key}: true }`).network).toBe(true);
  });

  it('refuses a working directory that is the home directory, above it, or the root', () => {
    const text = "filesystem: { rwx: ['{CWD}'] }";
    expect(() => parse(text, { CWD: join(root, 'home') })).toThrow('is the home directory');
    expect(() => parse(text, { CWD: root })).toThrow('a directory that holds the home directory');
    expect(() => parse(text, { CWD: '/' })).toThrow('is the root of the file system');
    symlinkSync(join(root, 'home'), join(root, 'alias'));
    expect(() => parse(text, { CWD: join(root, 'alias') })).toThrow('is the home directory');
  });

  it('grants the home directory when it is named, and then a working directory in its place with the same rights', () => {
    const text = "filesystem: { rwx: ['{HOME}', '{CWD}'] }";
    expect(granted(text, { CWD: join(root, 'home') })).toEqual(['rwx /home/sub']);
    expect(() => granted("filesystem: { ro: ['{HOME}'], rwx: ['{CWD}'] }", { CWD: join(root, 'home') })).toThrow('is the home directory');
    expect(() => granted("filesystem: { ro: ['{HOME}'] }", { HOME: '/' })).toThrow('is the root of the file system');
    expect(parse('filesystem: { ro: [/] }', { HOME: '' }).notes).toEqual([
      'sandbox.yaml:1: filesystem.ro[0]: grants the whole file system',
    ]);
  });

  it('refuses to let a variable open our own configuration for writing, existing or not, from above or from within', () => {
    const OLLIE_CFG_PATH = join(root, 'work/config/ollie');
    const text = "filesystem: { rwx: ['{CWD}'] }";
    expect(() => parse(text, { OLLIE_CFG_PATH })).toThrow('tools could rewrite what holds them');
    mkdirSync(join(root, 'work/config/ollie/agents'), { recursive: true });
    symlinkSync(join(root, 'work'), join(root, 'alias'));
    const through = { OLLIE_CFG_PATH: join(root, 'alias/config/ollie') };
    expect(() => parse(text, { ...through, CWD: join(root, 'work/config/ollie/agents') })).toThrow('tools could rewrite what holds them');
    expect(granted(text, { ...through, CWD: join(root, 'lib') })).toEqual(['rwx /lib']);
    expect(granted("filesystem: { ro: ['{CWD}'] }", { OLLIE_CFG_PATH })).toEqual([]);
  });

  it('does not follow a link out of a directory that tools may write', () => {
    symlinkSync(join(root, 'home'), join(root, 'work/link'));
    const policy = parse(`filesystem: { ro: ['{CWD}/link/sub', '${root}/lib'], rw: ['{CWD}'] }`);
    expect(classOf(policy, join(root, 'home/sub'))).toBeUndefined();
    expect(classOf(policy, join(root, 'lib'))).toBe('ro');
    expect(policy.notes).toEqual([expect.stringContaining('work/link/sub is a link to')]);
    expect(granted("filesystem: { ro: ['{CWD}/link/sub', '{CWD}'] }")).toEqual(['ro /home/sub', 'ro /work']);
  });

  it.each(['/tmp', '/var/tmp', '/tmp/'])('refuses %s as the temporary directory', (TMPDIR) => {
    expect(() => parse('', { TMPDIR })).toThrow('shared with others');
  });

  it('notes a writable file, and leaves sockets out', async () => {
    writeFileSync(join(root, 'file'), '');
    expect(parse(`filesystem: { rw: ['${root}/file'] }`).notes[0]).toContain('programs that replace it by a rename will fail');
    const server = createServer().listen(join(root, 'socket'));
    await once(server, 'listening');
    const policy = parse(`filesystem: { rw: ['${root}/socket'] }\nenv: [SSH_AUTH_SOCK, PATH]`);
    server.close();
    expect(classOf(policy, join(root, 'socket'))).toBeUndefined();
    expect(policy.env).toEqual(['PATH']);
    expect(policy.notes.map((note) => /socket/.test(note))).toEqual([true, true]);
  });

  it('reads the user file, else the packaged one, with the paths of this installation', () => {
    const paths = Paths.from({ HOME: join(root, 'home'), OLLIE_CFG_PATH: join(root, 'lib') });
    const packaged = loadPolicy(paths, { CWD: join(root, 'work'), TMPDIR: join(root, 'tmp') });
    expect(classOf(packaged, '/usr')).toBe('rox');
    expect(classOf(packaged, join(root, 'work'))).toBe('rwx');
    expect(classOf(packaged, realpathSync(process.execPath))).toBe('rox');
    expect(classOf(packaged, join(paths.packaged, 'tools'))).toBe('rox');
    expect(packaged.grants.filter(({ path }) => /\.ssh$|id_|credentials|netrc|\.npmrc/.test(path))).toEqual([]);
    writeFileSync(join(root, 'lib/sandbox.yaml'), 'network: { enabled: false }\n');
    expect(loadPolicy(paths, {})).toMatchObject({ network: false, env: [] });
    writeFileSync(join(root, 'lib/sandbox.yaml'), 'networks: {}\n');
    expect(() => loadPolicy(paths, {})).toThrow(`${join(root, 'lib/sandbox.yaml')}:1: unknown key "networks"`);
  });
});
