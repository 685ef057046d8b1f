import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths, silentLog } from '#config';
import type { GrantClass } from '#sandbox';
import { FakeProcessLauncher, FakeSandboxStatus, fakeTool } from '#testkit';
import type { PreparedCall } from './prepared-call.js';
import { callResult } from './call-result.js';
import { PrivateTmp } from './private-tmp.js';
import { ProcessTable } from './process-table.js';
import { Workbench, type Job } from './workbench.js';

describe('what is laid out for a call', () => {
  let home: string;
  let tmp: PrivateTmp;
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'workbench-')));
    for (const name of ['project', 'config', 'tools']) mkdirSync(join(home, name));
    tmp = new PrivateTmp(join(home, 'tmp'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const policy = (text: string): void => writeFileSync(join(home, 'config/sandbox.yaml'), text);
  const prepare = (sandbox = 'default', isBypass = false): Promise<Job> => {
    const env = { HOME: home, PATH: '/usr/bin:/bin', OLLIE_CFG_PATH: join(home, 'config'), OLLIE_DATA_PATH: join(home, 'data') };
    const options = { paths: Paths.from(env), env, node: process.execPath, yolo: false };
    const bench = new Workbench(options, new FakeProcessLauncher((run) => run.exit()), new FakeSandboxStatus(), tmp, silentLog);
    const tool = fakeTool({ name: 'x' }, { directory: join(home, 'tools'), command: { type: 'shell', line: 'x' } });
    const request = {
      tool: 'x',
      agent: 'a',
      session: 's',
      cwd: '',
      label: '',
      call: '',
      env: {},
      args: {},
      fields: new Map<string, string>(),
    };
    const fields = { bypass: isBypass, timeout: undefined, sandbox };
    const call: PreparedCall = { request, tool, dispatch: { fields, args: {} }, cwd: join(home, 'project'), isBypass };
    return bench.prepare(call, new AbortController().signal);
  };
  const accessAt = ({ policy: held }: Job, path: string): GrantClass | undefined =>
    held?.grants.find((grant) => grant.path === path)?.access;

  test('add_exec and ldd add the program that is really run, with what it is linked with', async () => {
    const shell = realpathSync('/bin/sh');
    policy("filesystem: { ro: ['{CWD}'] }\n");
    expect(accessAt(await prepare(), shell)).toBeUndefined();
    policy("filesystem: { ro: ['{CWD}'] }\nadvanced: { add_exec: true, ldd: true }\n");
    const job = await prepare();
    expect(accessAt(job, shell)).toBe('rox');
    expect(job.policy?.grants.some(({ path }) => /libc\.so/.test(path))).toBe(true);
    expect(accessAt(job, join(home, 'tools'))).toBe('rox');
  });

  test('sandbox=NAME narrows', async () => {
    policy("filesystem: { rwx: ['{CWD}'] }\n");
    expect(accessAt(await prepare(), join(home, 'project'))).toBe('rwx');
    expect(accessAt(await prepare('readonly'), join(home, 'project'))).toBe('rox');
    expect((await prepare('offline')).policy?.network).toBe(false);
  });

  test.each([
    ['nope', '', 'invalid arguments: /sandbox there is no policy named nope'],
    ['../sandbox', '', 'invalid arguments: /sandbox there is no policy named ../sandbox'],
    ['default', 'filesytem: {}\n', 'sandbox.yaml:1: unknown key "filesytem"'],
  ])('sandbox=%s with the policy %j is refused', async (name, text, message) => {
    policy(text);
    await expect(prepare(name)).rejects.toThrow(message);
  });

  test('a call outside the sandbox is held by no policy', async () => {
    policy("filesystem: { rwx: ['{CWD}'] }\n");
    expect((await prepare('default', true)).policy).toBeUndefined();
  });

  describe('and what its result says of a denied access', () => {
    const facts = {
      tool: 'x',
      command: 'x',
      agent: 'a',
      session: 's',
      call: '',
      tier: 'hot',
      background: false,
      timeoutSeconds: 9,
    } as const;
    const resultOf = async (output: string, code: number, held = true): Promise<string> => {
      policy("filesystem: { rwx: ['{CWD}'] }\n");
      writeFileSync(join(home, 'closed'), '');
      const job = await prepare();
      const launcher = new FakeProcessLauncher((run) => (run.write(output.replaceAll('HOME', home)), run.exit(code)));
      const order = { policy: undefined, cell: false, argv: ['x'], cwd: '/', env: {}, graceMs: 0 };
      const process = new ProcessTable().add({ ...facts, cwd: join(home, 'project'), policy: held ? job.policy : undefined }, (listener) =>
        launcher.launch(order, undefined, listener),
      );
      await process.ended;
      return callResult(process)
        .content.map((part) => (part.type === 'text' ? part.text : ''))
        .join('|')
        .replaceAll(home, 'HOME');
    };
    const HINT =
      '[sandbox: HOME/closed is not in the policy; filesystem.ro would let tools read it, filesystem.rw would let tools write it]\n';
    const DENIED = 'cat: HOME/closed: Permission denied';

    test.each([
      ['a failed call', `${DENIED}\n`, 1, `execution failed: exit 1\n${DENIED}\n${HINT}`],
      ['a call that goes on all the same', `${DENIED}\nrest`, 0, `${DENIED}\nrest\n${HINT}`],
      [
        'a result of the tool’s own',
        `#!ollie-result\n{"content":[{"type":"text","text":"${DENIED}"}],"isError":true}`,
        1,
        `${DENIED}|${HINT}`,
      ],
      ['nothing', 'fine\n', 0, 'fine\n'],
    ])('after %s', async (_what, output, code, expected) => {
      expect(await resultOf(output, code)).toBe(expected);
    });

    test('is nothing where nothing held the call', async () => {
      expect(await resultOf(`${DENIED}\n`, 1, false)).toBe(`execution failed: exit 1\n${DENIED}\n`);
    });

    test('fits into what a model gets to see', async () => {
      const text = await resultOf(`${DENIED}\n${'x'.repeat(100_000)}`, 1);
      expect(text.endsWith(HINT)).toBe(true);
      expect(Buffer.byteLength(text.replaceAll('HOME', home))).toBeLessThanOrEqual(32 * 1024);
    });
  });
});
