import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptLibrary, startScriptedServer } from '#backends';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';
import { until } from '../support/until.js';

describe('npm run demo', () => {
  let tree: TempTree;
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    tree = new TempTree();
    for (const folder of ['home', 'tmp']) mkdirSync(tree.path(folder));
    env = { PATH: process.env.PATH, HOME: tree.path('home'), TMPDIR: tree.path('tmp') };
  });
  afterEach(() => tree.remove());

  const demo = (installation = root): Promise<Ended> =>
    run(process.execPath, [join(installation, 'scripts/demo.mjs')], { cwd: tree.root, env });

  it('shows an agent that turns a red project green, and says in every reply that it is scripted, and leaves nothing behind', async () => {
    const before = snapshot(root);
    const { code, stdout, stderr } = await demo();
    expect(stderr).toBe('');
    expect(stdout).toMatch(/-> shell\(.*node --test/);
    expect(replies(stdout).length).toBeGreaterThan(2);
    expect(replies(stdout).filter((line) => !line.startsWith('[scripted] '))).toEqual([]);
    expect(stdout).toContain('-  return a - b;\n+  return a + b;\n');
    expect(stdout).toMatch(/^Cost: .*\d+ requests, \d+ tokens in, \d+ tokens out\.$/m);
    expect(stdout).toMatch(/^Sandbox: full: private namespaces, Landlock/m);
    expect(stdout).toMatch(/^The test failed before and passes now\.\n\n(.+: .+\n){3}$/m);
    expect(code).toBe(0);
    expect(filesBelow(tree.root)).toEqual([]);
    expect(snapshot(root)).toEqual(before);
    await until('no process of the demo is left', () => processesMentioning(tree.root).length === 0);
  }, 60_000);

  it('does the same with a model behind an OpenAI address', async () => {
    const model = await startScriptedServer({ scripts: new ScriptLibrary([join(root, 'config/scripts')]) });
    Object.assign(env, { OLLIE_BACKEND: 'openai', OLLIE_OPENAI_URL: model.url, OLLIE_MODEL: 'demo' });
    const { code, stdout, stderr } = await demo();
    await model.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('The test failed before and passes now.');
    expect(model.requests.length).toBeGreaterThan(2);
  }, 60_000);

  it('says in one sentence that the kernel has no Landlock', async () => {
    const { code, stdout, stderr } = await demo(installationWith('echo \'{"landlock":0,"seccomp":true,"userns":true,"cells":true}\''));
    expect(stderr).toBe(
      'demo: this kernel has no Landlock, and no tool runs without it; use Linux 5.13 or later with `landlock` listed in /sys/kernel/security/lsm\n',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(filesBelow(tree.path('tmp'))).toEqual([]);
  });

  it('says in one sentence that the sandbox helper is not built', async () => {
    const { code, stdout, stderr } = await demo(installationWith(undefined));
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'demo: the sandbox helper is not built; run: npm run setup\n',
    });
  });

  it('shows no repair of a project that is in order', async () => {
    const installation = installationWith(REAL_HELPER);
    tree.add('inst/examples/demo-project/sum.test.mjs', '');
    const { code, stdout, stderr } = await demo(installation);
    expect(stderr).toBe('demo: the test of the demo project passes before anything was done\n');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('fails when the agent cannot repair the project', async () => {
    const installation = installationWith(REAL_HELPER);
    tree.add(
      'inst/examples/demo-project/sum.test.mjs',
      "import { test } from 'node:test';\ntest('never', () => { throw new Error('red'); });\n",
    );
    const { code, stderr } = await demo(installation);
    expect(stderr).toBe('demo: the test still fails: the agent has not repaired the project\n');
    expect(code).toBe(1);
  }, 60_000);

  it('starts its server as users do, by its launcher, and shows why that failed', async () => {
    const installation = installationWith(REAL_HELPER);
    tree.add('inst/bin/olliesrv', '#!/bin/sh\necho "not today" >&2\nexit 1\n', 0o755);
    const { code, stderr } = await demo(installation);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'demo: not today\n' });
  });

  /** A copy of this installation whose sandbox helper is a script, or missing. */
  function installationWith(helper: string | undefined): string {
    for (const path of ['package.json', 'scripts', 'bin', 'dist/bin', 'examples'])
      cpSync(join(root, path), tree.path(`inst/${path}`), { recursive: true });
    symlinkSync(join(root, 'config'), tree.path('inst/config'));
    if (helper !== undefined) tree.add('inst/native/build/ollie-sandbox', `#!/bin/sh\n${helper}\n`, 0o755);
    return tree.path('inst');
  }
});

const REAL_HELPER = `exec '${root}/native/build/ollie-sandbox' "$@"`;

/** The lines of the chat that are neither the prompt nor a tool's. */
function replies(stdout: string): readonly string[] {
  const [, chat = ''] = /^user: .*\n([^]*?)\n\n--- a\//m.exec(stdout) ?? [];
  return chat.split('\n').filter((line) => !/^(->|<-) /.test(line));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function snapshot(folder: string): readonly string[] {
  return ['.', 'examples', 'examples/demo-project', 'config', 'dist/bin'].flatMap((name) => readdirSync(join(folder, name)));
}

function processesMentioning(text: string): readonly string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return processes.filter((pid) => ['cmdline', 'environ'].some((file) => textOf(`/proc/${pid}/${file}`).includes(text)));
}

/** Empty for a process that has just ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error) return '';
    throw error;
  }
}
