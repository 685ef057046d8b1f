import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SupervisorLauncher, type Run } from '#exec';
import { findHelper, type RunOrder, type SandboxPolicy } from '#sandbox';
import { describeMount, isMounted } from '../mount/describe-mount.js';
import { hasCells } from './modes.js';

const LATE_MS = 10_000;

/** `late`: it has not ended within `LATE_MS`. */
const endOf = async ({ ended }: Pick<Run, 'ended'>): Promise<string> =>
  Promise.race([ended.then(({ type }) => type), sleep(LATE_MS, 'late', { ref: false })]);

(hasCells() ? describeMount : describe.skip)('a granted path that stops answering', () => {
  const helper = findHelper() ?? '';
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-silent-')));
  const place = join(root, 'place');
  const policy: SandboxPolicy = {
    bestEffort: true,
    network: true,
    cell: true,
    env: [],
    ldd: false,
    addExec: false,
    notes: [],
    links: [],
    grants: [
      ...['/usr', '/lib', '/lib64', '/bin'].map((path) => ({ path: realpathSync(path), access: 'rox', origin: '' }) as const),
      { path: place, access: 'rwx', origin: '' },
    ],
  };
  let server: ChildProcess;
  let launcher: SupervisorLauncher;
  const order = (script: string): RunOrder => ({
    policy,
    cell: true,
    argv: ['sh', '-c', script],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    graceMs: 300,
  });
  const start = (script: string, output: (text: string) => void = () => undefined): Run =>
    launcher.launch(order(script), undefined, { started: () => undefined, output: (chunk) => output(Buffer.from(chunk).toString()) });
  /** Its server never answers. */
  const mount = async (): Promise<void> => {
    server = spawn(helper, ['mount', place], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
    while (!isMounted(place)) await sleep(20);
  };

  beforeEach(async () => {
    mkdirSync(place);
    launcher = new SupervisorLauncher(helper);
    await launcher.whenReady(order('true'));
  });
  afterEach(() => {
    server.kill('SIGKILL');
    spawnSync(helper, ['umount', place]);
    rmSync(root, { recursive: true });
    mkdirSync(root);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('holds neither the other runs of the cell nor its end', async () => {
    let seen = '';
    const first = start('for i in 1 2 3; do echo $i; sleep 1; done', (text) => (seen += text));
    while (seen === '') await sleep(20);
    await mount();
    const second = start('true');
    expect(await endOf(first)).toBe('exit');
    expect(seen).toBe('1\n2\n3\n');
    second.kill();
    expect(await endOf(second)).toBe('signal');
    expect(await Promise.race([launcher.close().then(() => 'closed'), sleep(LATE_MS, 'late', { ref: false })])).toBe('closed');
  }, 60_000);

  it('is told to a run that needs it soon, and to those after it, and lets the next ones run that do not', async () => {
    expect(await start('true').ended).toMatchObject({ type: 'exit' });
    await mount();
    const refusal = { type: 'failed', step: 'silent', message: `${place} does not answer, and the policy grants ${place}`, code: 125 };
    for (let round = 0; round < 2; round += 1)
      expect(await Promise.race([start('true').ended, sleep(LATE_MS, 'late', { ref: false })])).toEqual(refusal);
    const inside = launcher.launch({ ...order('true'), cwd: place }, undefined, { started: () => undefined, output: () => undefined });
    expect(await inside.ended).toMatchObject({ ...refusal, message: `${place} does not answer, and the call is to run in ${place}` });
    server.kill('SIGKILL');
    spawnSync(helper, ['umount', place]);
    expect(await endOf(start('true'))).toBe('exit');
    await launcher.close();
  }, 60_000);

  it.each(['terminate', 'kill'] as const)(
    'does not keep a run from its end: %s',
    async (how) => {
      await mount();
      const run = start('true');
      await sleep(300);
      run[how]();
      expect(await endOf(run)).toBe('signal');
      await launcher.close();
    },
    60_000,
  );
});
