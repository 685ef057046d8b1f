import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Paths } from '#config';
import { loadPolicy, programGrants, TrustedFiles, type ExplainedPolicy } from '#sandbox';
import { identities, World } from './world.js';

const SYSTEM = 'rox: [/usr, /bin, /lib, /lib64, /etc]';
const PATH = '/usr/local/bin:/usr/bin:/bin';

describe.each(identities)('policies of several files, for a tool that runs as %s', (_name, uid) => {
  let world: World;
  let paths: Paths;
  beforeEach(() => {
    world = new World(uid);
    paths = Paths.from({ HOME: world.home, OLLIE_CFG_PATH: join(world.root, 'config'), OLLIE_DATA_PATH: join(world.root, 'data') });
    mkdirSync(join(world.root, 'config'));
  });
  afterEach(() => world.remove());

  const directory = (path: string): void => {
    mkdirSync(join(world.root, path), { recursive: true });
    chownSync(join(world.root, path), uid, uid);
  };
  const base = (text: string): void => void world.write('config/sandbox.yaml', text);
  const load = (name = 'default'): ExplainedPolicy => loadPolicy(paths, { CWD: world.cwd, TMPDIR: world.tmp }, { type: 'usual', name });
  const shell = async (script: string, name?: string): Promise<string> =>
    (await world.run(['sh', '-c', script], { policy: load(name) })).text;

  it('what is Ollie’s own stays closed within a directory that is granted, and so does what is new beside it', async () => {
    for (const path of ['home/.cache/ollie', 'home/.cache/pip']) directory(path);
    world.write('home/.cache/ollie/key', 'OWN');
    base(`filesystem: { ${SYSTEM}, rwx: ['{HOME}'] }\n`);
    expect(await shell('cat ~/.cache/ollie/key; ls ~/.cache/ollie; echo x >~/.cache/ollie/new')).toMatch(/^(.*Permission denied\n){3}$/);
    expect(await shell('echo x >~/.cache/pip/new && cat ~/.cache/pip/new')).toBe('x\n');
    expect(await shell('mv ~/.cache/ollie ~/.cache/pip/; mkdir ~/.cache/other; rm -r ~/.cache')).not.toContain('OWN');
    expect(await shell('cat ~/.cache/pip/new')).toBe('x\n');
    expect(await shell('echo x >~/.cache/other')).toContain('Permission denied');
  });

  it('that cannot be made where it is not yet', async () => {
    directory('home/.cache/pip');
    base(`filesystem: { ${SYSTEM}, rwx: ['{HOME}/.cache'] }\n`);
    expect(await shell('mkdir ~/.cache/ollie')).toContain('Permission denied');
    expect(await shell('mv ~/.cache/pip ~/.cache/ollie')).toContain('Permission denied');
  });

  it('what a file denies is closed, whichever file grants it', async () => {
    directory('work/open');
    directory('work/shut');
    world.write('work/shut/file', 'SHUT');
    world.write('work/.ollie-sandbox.yaml', "filesystem: { deny: ['{CWD}/shut'] }\n");
    base(`filesystem: { ${SYSTEM}, rwx: ['{CWD}'] }\n`);
    expect(await shell('cat shut/file; echo x >open/file && cat open/file')).toMatch(/^.*Permission denied\nx\n$/);
    expect(await shell('ln shut/file open/link; mv shut open/; cat open/*')).not.toContain('SHUT');
  });

  it('sandbox=readonly writes nothing but TMPDIR, and runs what could be run', async () => {
    base(`filesystem: { ${SYSTEM}, rwx: ['{CWD}'] }\n`);
    world.write('work/tool', '#!/bin/sh\necho ran\n', 0o755);
    expect(await shell('./tool; echo x >new; echo y >$TMPDIR/new && cat $TMPDIR/new', 'readonly')).toMatch(
      /^ran\n.*Permission denied\ny\n$/,
    );
    expect(await shell('echo x >new && cat new')).toBe('x\n');
  });

  it('sandbox=offline has no network', async () => {
    base(`filesystem: { ${SYSTEM}, rwx: ['{CWD}'] }\n`);
    const connect = "bash -c 'echo >/dev/tcp/127.0.0.1/9'";
    expect(await shell(connect)).toContain('Connection refused');
    expect(await shell(connect, 'offline')).toContain('Permission denied');
  });

  it('a project’s file opens nothing until it is trusted', async () => {
    directory('elsewhere');
    world.write('elsewhere/file', 'OPEN');
    base(`filesystem: { ${SYSTEM}, rwx: ['{CWD}'] }\n`);
    const file = world.write('work/.ollie-sandbox.yaml', `filesystem: { ro: ['${world.root}/elsewhere'] }\n`);
    expect(await shell(`cat ${world.root}/elsewhere/file`)).toContain('Permission denied');
    new TrustedFiles(paths.data).add(file);
    expect(await shell(`cat ${world.root}/elsewhere/file`)).toBe('OPEN');
    expect(await shell(`echo '#' >>.ollie-sandbox.yaml; cat ${world.root}/elsewhere/file`)).toBe('OPEN');
    expect(await shell(`cat ${world.root}/elsewhere/file`)).toContain('Permission denied');
    rmSync(file);
  });

  it('ldd and add_exec let a program run where nothing else is granted, and no other', async () => {
    const within = async (keys: string, argv: readonly string[]) => {
      base(`filesystem: { rw: ['{CWD}'] }\n${keys}`);
      const policy = load();
      const grants = [...policy.grants, ...programGrants(policy, argv[0] ?? '', { cwd: world.cwd, path: PATH })];
      return world.run(argv, { policy: { ...policy, grants } });
    };
    world.write('work/file', 'x\n');
    const BOTH = 'advanced: { ldd: true, add_exec: true }\n';
    expect((await within('', ['cat', 'file'])).code).toBe(126);
    expect((await within('advanced: { add_exec: true }\n', ['cat', 'file'])).text).not.toBe('x\n');
    expect((await within(BOTH, ['cat', 'file'])).text).toBe('x\n');
    expect((await within(BOTH, ['sh', '-c', 'cat file'])).text).toContain('Permission denied');
    expect((await within(BOTH, ['cat', '/etc/passwd'])).text).toContain('Permission denied');
    world.write('work/tool', '#!/bin/sh\nread line <file; echo $line\n', 0o755);
    expect((await within(BOTH, ['./tool'])).code).toBe(126);
  });
});
