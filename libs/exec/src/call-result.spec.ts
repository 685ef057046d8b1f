import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultText, type SandboxReach } from '#model';
import { parsePolicy } from '#sandbox';
import { callResult } from './call-result.js';
import { ProcessTable } from './process-table.js';

describe('the result of a call that found nothing at a path', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-result-')));
    mkdirSync(join(root, 'work'));
    writeFileSync(join(root, 'outside'), '');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  async function textOf(sandbox: SandboxReach, missing: readonly string[]): Promise<string> {
    const policy = parsePolicy(`filesystem: { rwx: ['${root}/work'] }\n`, 'p', { HOME: root });
    const facts = {
      tool: 'shell',
      command: 'cat',
      agent: 'a',
      session: 's',
      call: 'c',
      cwd: join(root, 'work'),
      tier: 'hot',
      policy,
    } as const;
    const table = new ProcessTable({ callMs: 100, backgroundMs: 100, maxExited: 3, maxOutputBytes: 1000 });
    const process = table.add({ ...facts, background: false, timeoutSeconds: undefined }, (listener) => {
      listener.started({ pid: 1, sandbox, missing });
      listener.output(Buffer.from(`cat: ${root}/outside: No such file or directory\n`));
      const ignore = (): void => undefined;
      return { ended: Promise.resolve({ type: 'exit', code: 1, left: 0 }), signal: ignore, terminate: ignore, kill: ignore };
    });
    await process.ended;
    return resultText(callResult(process));
  }

  it.each<readonly [SandboxReach, readonly string[]]>([
    ['full', []],
    ['partial', ['unix-sockets']],
  ])('in a cell says what the policy has against it (%s, without %j)', async (sandbox, missing) => {
    expect(await textOf(sandbox, missing)).toContain(
      `[sandbox: ${root}/outside is not in the policy; filesystem.ro would let tools read it`,
    );
  });

  it.each<readonly [SandboxReach, readonly string[]]>([
    ['partial', ['cells']],
    ['none', []],
  ])('outside of one takes the program at its word (%s, without %j)', async (sandbox, missing) => {
    expect(await textOf(sandbox, missing)).not.toContain('[sandbox:');
  });
});
