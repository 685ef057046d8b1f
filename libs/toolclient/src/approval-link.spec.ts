import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, silentLog } from '#config';
import { type ApprovalDecision, type ApprovalRequest, noNumbers, resultText, type ToolRequest, type ToolServer } from '#model';
import { eventually, FakeApprovalDesk, FakeEvents } from '#testkit';
import { SpawnedToolHost } from './spawned-tool-host.js';
import type { ToolsrvLaunch } from './toolsrv-launch.js';

const NEVER = new AbortController().signal;
const APPROVED: ApprovalDecision = { decision: 'approved', by: 'me', scope: 'once' };

jest.setTimeout(60_000);

/** The real toolsrv, as it was built. */
describe('the requests of a session’s tool server', () => {
  let folder: string;
  let desk: FakeApprovalDesk;
  let events: FakeEvents;
  let host: SpawnedToolHost;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync('/tmp/ollie-link-'));
    mkdirSync(join(folder, 'project'));
    mkdirSync(join(folder, 'home'));
    [desk, events] = [new FakeApprovalDesk(), new FakeEvents()];
    const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(folder, 'home'), XDG_RUNTIME_DIR: folder };
    const command: ToolsrvLaunch['command'] = [process.execPath, join(packageRoot(), 'dist/bin/toolsrv.mjs')];
    const launch = { command, runtime: folder, environment, idleMs: 60_000, log: silentLog, desk, events };
    host = new SpawnedToolHost({ id: 's-1', cwd: join(folder, 'project'), numbers: noNumbers }, launch);
  });
  afterEach(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });

  async function agent(id = 'a-1'): Promise<ToolServer> {
    const tools = await host.connect(id, NEVER);
    await tools.load('shell', NEVER);
    return tools;
  }

  function bypass(tools: ToolServer, cmd: string, signal = NEVER) {
    const request: ToolRequest = {
      id: `call ${cmd}`,
      tool: 'shell',
      arguments: { cmd, bypass: true },
      cwd: join(folder, 'project'),
      env: {},
    };
    return tools.call(request, signal);
  }

  /** Waits for an abort. */
  function undecided(_request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ decision: 'withdrawn' })));
  }

  it('come to the desk with session and agent, also the first call of a server, and an approved one runs outside', async () => {
    desk.observe(async () => APPROVED);
    const file = join(folder, 'home/made');
    const result = await bypass(await agent(), `echo ok > '${file}' && echo done`);
    expect(result).toMatchObject({ isError: false, sandbox: 'none', exitCode: 0 });
    expect(existsSync(file)).toBe(true);
    expect(desk.asked).toMatchObject([
      { kind: 'bypass', session: 's-1', agent: 'a-1', host: 'local', tool: 'shell', command: `echo ok > '${file}' && echo done` },
    ]);
    expect(desk.asked[0]?.expires).toBeGreaterThan(Date.now());
    expect(Object.keys(desk.asked[0]?.more ?? {}).sort()).toEqual(['args', 'call', 'hash']);
  });

  it('are refused with the words of the desk', async () => {
    desk.observe(async () => ({ decision: 'rejected', by: 'me', text: 'not today' }));
    expect(resultText(await bypass(await agent(), 'true'))).toBe('bypass rejected: not today');
    desk.observe(async () => ({ decision: 'no observer' }));
    expect(resultText(await bypass(await agent(), 'true'))).toBe('bypass rejected: no observer');
  });

  it('are refused at once by the server itself while nobody is there', async () => {
    const tools = await agent();
    expect(resultText(await bypass(tools, 'true'))).toBe('bypass unavailable: no observer');
    expect(desk.asked).toEqual([]);
  });

  it('come to the desk as soon as somebody is there, and no more when nobody is', async () => {
    const tools = await agent();
    desk.observe(async () => APPROVED);
    expect(await bypass(tools, 'echo x')).toMatchObject({ sandbox: 'none' });
    desk.observe(undefined);
    const asked = desk.asked.length;
    expect(resultText(await bypass(tools, 'true'))).toBe('bypass unavailable: no observer'); // after a grace of 5 s
    expect(desk.asked.length).toBe(asked);
  });

  it('are withdrawn when their call is called off, and when the server dies', async () => {
    desk.observe(undecided);
    const tools = await agent();
    const off = new AbortController();
    const called = bypass(tools, 'true', off.signal);
    await eventually(() => desk.asked.length === 1);
    off.abort();
    expect(resultText(await called)).toBe('cancelled');
    const lost = bypass(tools, 'echo again').then(resultText, String);
    await eventually(() => desk.asked.length === 2);
    process.kill(Number(events.of('toolsrv.connected')[0]?.pid), 'SIGKILL');
    expect(await lost).toContain('connection lost');
    await eventually(() => events.of('toolsrv.lost').length === 1);
    expect(events.published[0]).toMatchObject({ topic: 'toolsrv.connected', subject: { session: 's-1' } });
  });
});
