import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { Paths, silentLog } from '#config';
import { PrivateTmp, ProcessTable } from '#exec';
import { Client } from '#ninep';
import { findHelper } from '#sandbox';
import { NinePStrategy } from '#transport-ninep';
import { ToolsrvModule } from '../../apps/toolsrv/src/toolsrv.module.js';

const SECRET = 'the secret of this bench';

/** A toolsrv in this process, with a real socket, the real helper and the packaged tools. */
export class ToolBench {
  readonly home = mkdtempSync(join(tmpdir(), 'bench-'));
  readonly project = join(this.home, 'project');
  /** A directory for tools of the test's own, before the packaged ones. */
  readonly tools = join(this.home, 'tools');
  private testing: TestingModule | undefined;
  private readonly clients: Client[] = [];

  async start(options: { readonly auth?: boolean; readonly env?: Readonly<Record<string, string>> } = {}): Promise<void> {
    for (const directory of [this.project, this.tools]) mkdirSync(directory);
    const own = {
      HOME: this.home,
      OLLIE_CFG_PATH: join(this.home, 'config'),
      OLLIE_TMP_PATH: join(this.home, 'tmp'),
      OLLIE_TOOLS_PATH: this.tools,
    };
    const env = { ...own, PATH: process.env['PATH'], ...options.env };
    const serving = {
      cwd: this.project,
      listen: `unix!${this.socket}`,
      yolo: false,
      auth: options.auth ?? true,
      idleTimeoutMs: undefined,
      lastProcess: 0,
      secretFd: undefined,
      observerSecret: undefined,
      bypassTimeoutMs: 300_000,
      version: '0',
      logLevel: 'off',
    } as const;
    const host = { env, paths: Paths.from(env), log: silentLog, node: process.execPath, helper: findHelper() };
    this.testing = await Test.createTestingModule({ imports: [ToolsrvModule.forRoot(serving, host)] }).compile();
    const strategy = this.testing.get(NinePStrategy);
    await new Promise<void>((resolve, reject) => strategy.listen((error) => (error === undefined ? resolve() : reject(error))));
  }

  get socket(): string {
    return join(this.home, 'socket');
  }

  /** An attached client; `secret` undefined = without authentication. */
  async connect(aname = 'a-1', secret: string | undefined = SECRET): Promise<Client> {
    const dial = { address: { type: 'unix', path: this.socket }, uname: 'agent', aname } as const;
    const client = await Client.dial(secret === undefined ? dial : { ...dial, secret });
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.testing?.get(NinePStrategy).close();
    await this.testing?.get(ProcessTable).killAll();
    this.testing?.get(PrivateTmp).remove();
    await this.testing?.close();
    rmSync(this.home, { recursive: true });
  }
}

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** The lines of a payload; each value is escaped. */
export function payload(client: Client, fields: Readonly<Record<string, string>>): string {
  const all = { token: client.authAnswer?.trim() ?? '', agent: 'a-1', ...fields };
  const escape = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return Object.entries(all)
    .map(([key, value]) => `${key}=${escape(value)}\n`)
    .join('');
}
