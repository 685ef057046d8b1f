import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ollie } from '../e2e/ollie.js';
import { describeWith } from '../support/programs.js';
import { ToolsrvProcess } from '../toolsrv/toolsrv-process.js';
import { checkNames, type CheckedServer, type Findings, runGuest } from './guest-run.js';
import { TcpBridge } from './tcp-bridge.js';

const LIMIT_MS = 420_000;
jest.setTimeout(LIMIT_MS + 10_000);

const SECRET = 'guest-secret';
const MOUNTS: readonly (readonly [name: string, server: CheckedServer])[] = [
  ['olliesrv-9P2000.L', 'olliesrv'],
  ['olliesrv-9P2000', 'olliesrv'],
  ['toolsrv-9P2000.L', 'toolsrv'],
  ['toolsrv-9P2000', 'toolsrv'],
];

const describeGuest = process.arch === 'x64' ? describeWith('qemu-system-x86_64', 'apt-get') : describe.skip; // its programs are this machine's

describeGuest('Linux mounts by v9fs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guest-'));
  const ollie = new Ollie();
  let toolsrv: ToolsrvProcess | undefined;
  let bridge: TcpBridge | undefined;
  let findings: ReadonlyMap<string, Findings>;
  let said: string;

  beforeAll(async () => {
    writeFileSync(join(folder, 'secret'), SECRET);
    for (const name of ['home', 'project']) mkdirSync(join(folder, name));
    await ollie.start({ args: ['--tcp', 'tcp!127.0.0.1!0', '--tcp-secret-file', join(folder, 'secret')] });
    toolsrv = await ToolsrvProcess.serve(folder, '--no-auth');
    bridge = await TcpBridge.to(join(folder, 'socket'));
    const ports = { olliesrv: Number(/listening on tcp!127\.0\.0\.1!(\d+)/.exec(ollie.stdout)?.[1]), toolsrv: bridge.port };
    const mounts = MOUNTS.map(([name, server]) => ({ name, port: ports[server], options: optionsOf(name) }));
    ({ said, findings } = await runGuest(mounts, AbortSignal.timeout(LIMIT_MS)));
  });

  afterAll(async () => {
    bridge?.close();
    await toolsrv?.stop();
    await ollie.destroy();
    rmSync(folder, { recursive: true });
  });

  describe.each(MOUNTS)('%s', (mount, server) => {
    it.each([...checkNames(server), 'the mount can be given back'])('%s', (check) => {
      expect(findings.get(mount)?.get(check) ?? `not tried:\n${said.slice(-2000)}`).toBe('ok');
    });
  });
});

function optionsOf(name: string): string {
  const options = [...(name.endsWith('.L') ? [] : ['version=9p2000']), ...(name.startsWith('olliesrv') ? [`aname=key=${SECRET}`] : [])];
  return options.join(',');
}
