import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import { Client } from '#ninep';
import { payload, text } from './tool-bench.js';
import { ToolsrvProcess } from './toolsrv-process.js';

export const AGENTS = 'secret of the agents';
export const OBSERVERS = 'secret of the observers';

/** A real toolsrv, with clients that are agents and clients that are observers. */
export class BypassWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'bypass-'));
  readonly socket = join(this.folder, 'socket');
  readonly home = join(this.folder, 'home');
  readonly project = join(this.folder, 'project');
  readonly tools = join(this.folder, 'config/tools');
  readonly observerFile = join(this.folder, 'observer-secret');
  private readonly clients: Client[] = [];
  private readonly servers: ToolsrvProcess[] = [];

  constructor() {
    for (const directory of [this.home, this.project, this.tools]) mkdirSync(directory, { recursive: true });
    writeFileSync(this.observerFile, `${OBSERVERS}\n`);
  }

  async serve(...flags: readonly string[]): Promise<ToolsrvProcess> {
    const server = await ToolsrvProcess.serve(this.folder, ...flags);
    this.servers.push(server);
    return server;
  }

  /** Serves with the secrets that come over the owner's pipe. */
  async serveOwned(secrets: string): Promise<ToolsrvProcess> {
    const place = ['serve', '--cwd', this.project, '--listen', this.socket, '--secret-fd', '3'];
    const server = ToolsrvProcess.run(place, this.folder);
    this.servers.push(server);
    server.owner.write(secrets);
    return server;
  }

  async connect(uname: string, aname: string, secret?: string): Promise<Client> {
    const dial = { address: { type: 'unix', path: this.socket }, uname, aname } as const;
    const client = await Client.dial(secret === undefined ? dial : { ...dial, secret });
    this.clients.push(client);
    return client;
  }

  /** An agent with the shell. `secret` undefined = the server asks for none. */
  async agent(secret?: string): Promise<Client> {
    const client = await this.connect('agent', 'a-1', secret);
    await client.writeAll('ctl', 'load a-1 shell\n');
    return client;
  }

  observer(secret?: string): Promise<Client> {
    return this.connect('observer', '', secret);
  }

  async destroy(): Promise<void> {
    for (const client of this.clients) client.close();
    for (const server of this.servers) {
      server.child.kill('SIGKILL');
      await server.ended;
    }
    rmSync(this.folder, { recursive: true });
  }
}

/** The result of a call that asks to leave the sandbox. */
export async function bypass(agent: Client, fields: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<JsonObject> {
  const lines = payload(agent, { tool: 'shell', bypass: 'true', ...fields });
  return object(text(await agent.ask('proc/new', lines, signal)));
}

/** What its only text part says. */
export function said(result: JsonObject): string {
  const { content } = result;
  const [part] = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return textIn(part ?? {}, 'text');
}

/** The next request that this observer has not had. */
export async function next(observer: Client, signal?: AbortSignal): Promise<JsonObject> {
  return object(text(await observer.readAll('bypass/pending', signal)));
}

export function answer(observer: Client, words: JsonObject): Promise<void> {
  return observer.writeAll('bypass/resolve', JSON.stringify(words));
}

/** What the log says about decisions, one object each. */
export function audit(server: ToolsrvProcess): readonly JsonObject[] {
  return [...server.stderr.matchAll(/ toolsrv: bypass (\{.*\})$/gm)].map(([, line = '']) => object(line));
}

/** A member that must be text. */
export function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value !== 'string') throw new Error(`no text: ${key}`);
  return value;
}

/** `done`, or the text of its error. */
export const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** A read that waits, known to the server: its observer counts. */
export async function reading(observer: Client): Promise<{ readonly read: Promise<JsonObject>; leave(): Promise<void> }> {
  const abort = new AbortController();
  const read = next(observer, abort.signal);
  await observer.readAll('info'); // answered after the read was begun
  return {
    read,
    leave: async () => {
      abort.abort(new Error('left'));
      await outcome(read);
    },
  };
}

function object(json: string): JsonObject {
  const value = parseJson(json);
  if (!isJsonObject(value)) throw new Error(`no object: ${json}`);
  return value;
}
