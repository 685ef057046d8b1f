import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';
import { identities } from './world.js';

const POLICY = "filesystem: { rox: [/usr, /bin, /lib, /lib64], rwx: ['{CWD}'] }\nenv: [HOME, GREETING]\n";

describe.each(identities)('toolsrv sandbox, as %s', (_name, uid) => {
  let tree: TempTree;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    tree = new TempTree({ 'policy.yaml': POLICY, outside: 'OUTSIDE' });
    for (const name of ['work', 'home', 'tmp']) own(name);
    chmodSync(tree.root, 0o755);
    env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: tree.path('home'),
      OLLIE_TMP_PATH: tree.path('tmp'),
      NAMESPACE: tree.path('ns'),
      USER: 'me',
      GREETING: 'hello',
      KEY: 'PLANTED',
    };
  });
  afterEach(() => tree.remove());

  const own = (name: string): void => {
    mkdirSync(tree.path(name));
    chownSync(tree.path(name), uid, uid);
  };
  const words = (args: readonly string[]): readonly [string, readonly string[]] => {
    const line = [join(root, 'bin/toolsrv'), 'sandbox', ...args];
    const before = uid === process.getuid?.() ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const [program = '', ...rest] = [...before, ...line];
    return [program, rest];
  };
  const sandbox = (args: readonly string[], input = ''): Promise<Ended> => run(...words(args), { cwd: tree.path('work'), env, input });
  const within = (...command: readonly string[]): Promise<Ended> => sandbox(['run', '--policy', '../policy.yaml', '--', ...command]);

  describe('run', () => {
    it('passes standard input, output, error and the exit code through, each by itself', async () => {
      const args = ['run', '--policy', '../policy.yaml', '--', 'sh', '-c', 'cat; echo out; echo err >&2; exit 7'];
      expect(await sandbox(args, 'in\n')).toEqual({ code: 7, signal: null, stdout: 'in\nout\n', stderr: 'err\n' });
    });

    it('holds the command: files, environment, temporary directory', async () => {
      const { stdout, stderr } = await within('sh', '-c', `cat ../outside; echo x >../new; env; echo y >$TMPDIR/f && cat $TMPDIR/f; pwd`);
      expect(stderr.match(/Permission denied|No such file|Read-only file system/g)).toHaveLength(2);
      expect(stdout).toContain('GREETING=hello\n');
      expect(stdout).not.toContain('PLANTED');
      expect(stdout).toMatch(new RegExp(`y\n${tree.path('work')}\n$`));
      expect(readdirSync(tree.path('tmp'))).toEqual([]);
    });

    it.each<readonly [string, readonly string[], number]>([
      ['a command that does not exist', ['nope'], 127],
      ['a command that is no program', ['/usr'], 126],
      ['a command that is killed', ['sh', '-c', 'kill -9 $$'], 137],
      ['a command with options like ours', ['sh', '-c', 'exit 3', '--policy', 'x'], 3],
    ])('ends with the code of %s', async (_what, command, code) => {
      expect((await within(...command)).code).toBe(code);
    });

    it('carries a lot, both ways', async () => {
      const input = 'line\n'.repeat(200_000);
      const script = 'tee /dev/stderr';
      const { stdout, stderr } = await sandbox(['run', '--policy', '../policy.yaml', 'sh', '-c', script], input);
      expect([stdout === input, stderr === input]).toEqual([true, true]);
    });

    it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const)('hands %s on', async (signal) => {
      const [program, args] = words([
        'run',
        '--policy',
        '../policy.yaml',
        'sh',
        '-c',
        `trap 'echo got; exit 5' ${signal.slice(3)}; echo ready; while :; do sleep 0.1; done`,
      ]);
      const child = spawn(program, args, { cwd: tree.path('work'), env, stdio: ['ignore', 'pipe', 'ignore'] });
      const output = text(child.stdout);
      await once(child.stdout, 'data');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([5, null]);
      expect(await output).toBe('ready\ngot\n');
    });

    it('leaves what a terminal sends to all of a job to the command', async () => {
      const script = "trap 'sleep 0.3; echo got; exit 5' INT; echo ready; while :; do sleep 0.1; done";
      const [program, args] = words(['run', '--policy', '../policy.yaml', 'sh', '-c', script]);
      const child = spawn(program, args, { cwd: tree.path('work'), env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
      await once(child.stdout, 'data');
      process.kill(-(child.pid ?? 0), 'SIGINT');
      expect(await once(child, 'exit')).toEqual([5, null]);
    });

    it('leaves nothing alive that the command has started', async () => {
      const sleep = `sleep 1000.${process.pid}`;
      await within('sh', '-c', `setsid ${sleep} >/dev/null 2>&1 & echo`);
      const all = spawnSync('sh', ['-c', 'cat /proc/[0-9]*/cmdline | tr "\\0" " "'], { encoding: 'utf8' }).stdout;
      expect(all).not.toContain(sleep);
    });

    it('without best_effort refuses what cannot be granted', async () => {
      writeFileSync(tree.path('strict.yaml'), 'general: { best_effort: false }\nfilesystem: { ro: [/no/such] }\n');
      expect(await sandbox(['run', '--policy', '../strict.yaml', '--', 'true'])).toMatchObject({
        code: 1,
        stderr: `toolsrv: ${tree.path('strict.yaml')}:2: filesystem.ro[0]: no such path: /no/such (general.best_effort: true would skip it)\n`,
      });
    });

    it('puts both outputs in one where the policy lets no shell run, and says so', async () => {
      writeFileSync(tree.path('bare.yaml'), "filesystem: { ro: ['{CWD}'] }\nadvanced: { ldd: true, add_exec: true }\n");
      const { code, stdout, stderr } = await sandbox(['run', '--policy', '../bare.yaml', '--', 'ls', '/none']);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: 'toolsrv: the policy does not let sh run, so standard error goes to standard output\n',
      });
      expect(stdout).toContain("'/none'");
    });
  });

  describe('show', () => {
    it('prints every line of the policy and its origin', async () => {
      const { code, stdout } = await sandbox(['show', '--policy', '../policy.yaml']);
      const file = tree.path('policy.yaml');
      expect(code).toBe(0);
      const lines = stdout.split('\n').map((line) => line.split(/ {2,}/).join(' | '));
      expect(lines).toEqual(
        expect.arrayContaining([
          `file | ${file} | base, whole`,
          'network | true | default',
          `rox | /usr | ${file}:1: filesystem.rox[0]`,
          `rwx | ${tree.path('work')} | ${file}:1: filesystem.rwx[0]`,
          'rw | /dev/null | every policy',
          'rwx | {TMPDIR} | every policy',
          `env | GREETING | ${file}:2: env[1]`,
          `closed | ${tree.path('ns')} | Ollie's namespace`,
        ]),
      );
    });

    it('prints the sockets that it opens, with a warning where one is worth much', async () => {
      const door = tree.path('docker.sock');
      const server = createServer().listen(door);
      await once(server, 'listening');
      writeFileSync(tree.path('open.yaml'), `network: { unix: ['${door}'] }\n`);
      const { stdout } = await sandbox(['show', '--policy', '../open.yaml']);
      server.close();
      const origin = `${tree.path('open.yaml')}:1: network.unix[0]`;
      expect(stdout.split('\n').map((line) => line.split(/ {2,}/).join(' | '))).toEqual(
        expect.arrayContaining([
          `unix | ${door} | ${origin}`,
          `note | ${origin}: WARNING: whoever may connect to ${door} can become root on this machine`,
        ]),
      );
    });

    it('prints it as JSON', async () => {
      writeFileSync(tree.path('work/.ollie-sandbox.yaml'), 'network: { enabled: false }\nenv: [DOCKER_HOST]\n');
      const shown = JSON.parse((await sandbox(['show', '--json', '--name', 'readonly'])).stdout) as Record<string, unknown>; // checked below
      expect(shown).toMatchObject({
        sources: [{ role: 'base' }, { role: 'named', effect: 'narrows' }, { role: 'project', effect: 'narrows' }],
        network: { value: false, origin: `${tree.path('work/.ollie-sandbox.yaml')}:1: network.enabled` },
        notes: expect.arrayContaining([expect.stringContaining('DOCKER_HOST would widen the policy')]) as unknown,
      });
    });

    it.each<readonly [readonly string[], number, RegExp]>([
      [['show', '--name', 'nope'], 1, /there is no policy named nope/],
      [['show', '--name', 'readonly', '--policy', 'x'], 2, /exclude each other/],
      [['show', '--policy', 'none.yaml'], 1, /none\.yaml: cannot be read/],
      [['show', '--cwd', '/none'], 1, /--cwd: no such directory: \/none/],
      [['show', '--nope'], 2, /unknown option '--nope'.*; see toolsrv sandbox show --help/],
      [[], 2, /one of run, show, explain, probe, trust is needed; see toolsrv sandbox --help/],
    ])('%j is refused', async (args, code, sentence) => {
      const ended = await sandbox(args);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toMatch(sentence);
    });
  });

  it('explain says what would be denied, and by which key', async () => {
    const { code, stdout } = await sandbox(['explain', '--policy', '../policy.yaml', 'cat', '-n', '../outside', 'x']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^allowed {2}program {2}\/usr\/bin\/cat {2}\(rox\)$/m);
    expect(stdout).toContain(`denied   argument  ${tree.path('outside')}: reading and writing: filesystem.ro lets it be read`);
    expect((await sandbox(['explain', '--policy', '../policy.yaml', 'cat'])).code).toBe(0);
  });

  it('trust lets a project’s file widen the policy, until it changes', async () => {
    const file = tree.path('work/.ollie-sandbox.yaml');
    writeFileSync(file, `filesystem: { ro: ['${tree.path('outside')}'] }\n`);
    const read = async (): Promise<string> => (await sandbox(['run', 'cat', tree.path('outside')])).stdout;
    expect(await read()).toBe('');
    expect(await sandbox(['trust', '.ollie-sandbox.yaml'])).toMatchObject({ code: 0, stdout: `trusted as it is now: ${file}\n` });
    expect(await read()).toBe('OUTSIDE');
    await sandbox(['trust', '--remove', file]);
    expect(await read()).toBe('');
    writeFileSync(file, 'filesytem: {}\n');
    expect((await sandbox(['trust', '.'])).stderr).toContain('unknown key "filesytem"');
    expect(await sandbox(['trust', '../policy.yaml'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('probe says what the kernel enforces, in words and as JSON', async () => {
    const { landlock } = JSON.parse((await sandbox(['probe', '--json'])).stdout) as { landlock: number }; // a number, or the next line fails
    expect((await sandbox(['probe'])).stdout).toContain(`Landlock: ABI ${landlock}\n  enforced  files: `);
  });
});
