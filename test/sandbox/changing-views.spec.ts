import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisorLauncher } from '#exec';
import { encodeRunOrder, findHelper, type PathGrant, type RunOrder, type SandboxPolicy } from '#sandbox';
import { hasCells } from './modes.js';
import { runHelper } from './run-helper.js';

const helper = findHelper() ?? '';
const isRoot = process.getuid?.() === 0;
const programs = [...new Set(['/usr', '/lib', '/lib64', '/bin'].map((path) => realpathSync(path)))];

(hasCells() ? describe : describe.skip)('what a cell shows', () => {
  let root: string;
  let launcher: SupervisorLauncher;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-views-')));
    mkdirSync(join(root, 'work/sub'), { recursive: true });
    launcher = new SupervisorLauncher(helper);
  });
  afterEach(async () => {
    await launcher.close();
    spawnSync('umount', [join(root, 'work/sub')]);
    rmSync(root, { recursive: true });
  });

  const policy = (grants: readonly Omit<PathGrant, 'origin'>[], links: readonly string[] = []): SandboxPolicy => ({
    bestEffort: true,
    network: true,
    cell: true,
    env: [],
    ldd: false,
    addExec: false,
    notes: [],
    links,
    grants: [...programs.map((path) => ({ path, access: 'rox' }) as const), ...grants].map((grant) => ({ ...grant, origin: '' })),
  });
  const order = (held: SandboxPolicy, script: string, cwd = '/'): RunOrder => ({
    policy: held,
    cell: true,
    argv: ['sh', '-c', script],
    cwd,
    env: { PATH: '/usr/bin:/bin' },
    graceMs: 300,
  });
  const run = async (held: SandboxPolicy, script: string, cwd?: string): Promise<string> => {
    let text = '';
    await launcher.whenReady(order(held, script, cwd));
    const output = (chunk: Uint8Array): void => void (text += Buffer.from(chunk).toString());
    await launcher.launch(order(held, script, cwd), undefined, { started: () => undefined, output }).ended;
    return text;
  };

  it('follows a link to what is granted', async () => {
    const link = join(root, 'link');
    for (const name of ['a', 'b']) writeFileSync(join(root, 'work', name), name);
    symlinkSync('work/a', link);
    const held = policy([{ path: join(root, 'work'), access: 'ro' }], [link]);
    expect(await run(held, `cat ${link}`)).toBe('a');
    rmSync(link);
    symlinkSync('work/b', link);
    expect(await run(held, `cat ${link}`)).toBe('b');
  });

  it('holds the working directory from when it is there, also one that is not granted', async () => {
    const cwd = join(root, 'late');
    expect(await run(policy([]), 'pwd', cwd)).toBe('');
    mkdirSync(cwd);
    expect(await run(policy([]), 'pwd', cwd)).toBe(`${cwd}\n`);
  });

  it('may lie beside any number of long links', async () => {
    for (let n = 0; n < 1100; n += 1) symlinkSync(`/${'x'.repeat(140)}${n}`, join(root, `link${n}`));
    expect(await run(policy([{ path: join(root, 'work'), access: 'ro' }]), 'echo ran')).toBe('ran\n');
  });

  it('is one place to move in, where one granted directory lies in another and has no other rights', async () => {
    const script = `cd ${root}/work; : >f; rm -f sub/f; ln f sub/f 2>&1 && echo linked`;
    const held = (sub: 'rw' | 'rwx'): SandboxPolicy =>
      policy([
        { path: join(root, 'work'), access: 'rw' },
        { path: join(root, 'work/sub'), access: sub },
      ]);
    expect(await run(held('rw'), script)).toBe('linked\n');
    // As Landlock says of what would add rights.
    expect(await run(held('rwx'), script)).toContain('Invalid cross-device link');
  });

  (isRoot ? describe : describe.skip)('when root mounts something', () => {
    it('follows mounts that come and go below a granted path', async () => {
      const held = policy([{ path: join(root, 'work'), access: 'rwx' }]);
      const sub = join(root, 'work/sub');
      const write = (name: string): Promise<string> => run(held, `echo > ${sub}/${name}; ls ${sub}`);
      expect(await write('one')).toBe('one\n');
      spawnSync('mount', ['-t', 'tmpfs', 'x', sub]);
      expect(await write('two')).toBe('two\n');
      expect(readdirSync(sub)).toEqual(['two']);
      spawnSync('umount', [sub]);
      expect(await write('three')).toBe('one\nthree\n');
      expect(readdirSync(sub)).toEqual(['one', 'three']);
    });

    it('stays read-only below /tmp when something is mounted there later', async () => {
      const place = join(mkdtempSync('/tmp/ollie-views-'), 'place');
      mkdirSync(join(place, 'sub'), { recursive: true });
      const script = `until [ -e /tmp/now ]; do sleep 0.1; i=$((i+1)); [ $i -lt 15 ] || : >/tmp/now; done; : >${place}/sub/x && echo WROTE`;
      // A namespace whose mounts are shared, as on most hosts.
      const through = `unshare -m --propagation shared sh -c '(sleep 0.8; mount -t tmpfs x ${place}/sub) & exec "$0" "$1"'`;
      const { text, last } = await runHelper(encodeRunOrder(order(policy([{ path: place, access: 'ro' }]), script)), { helper, through });
      rmSync(join(place, '..'), { recursive: true });
      expect(text).toMatch(/Read-only file system/);
      expect(last).toMatchObject({ type: 'exit' });
    });
  });
});
