import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { Paths, silentLog } from '#config';
import { BackendCatalog, ToolHostFactory } from '#model';
import { Client, parseAddress, type DialOptions } from '#ninep';
import { FakeBackend, FakeBackendCatalog, FakeToolHostFactory, type FakeAnswer } from '#testkit';
import { guestDoor, NinePStrategy } from '#transport-ninep';
import { mount } from '#virtfs';
import { NamespaceDoors } from '../../apps/olliesrv/src/namespace-doors.js';
import { olliesrvNamespace } from '../../apps/olliesrv/src/namespace/root.js';
import { OlliesrvModule } from '../../apps/olliesrv/src/olliesrv.module.js';
import { OlliesrvServices } from '../../apps/olliesrv/src/olliesrv-services.js';

/** The whole namespace behind a real socket, with a scripted model and hands that are no processes. */
export class ServedOlliesrv {
  readonly hands = new FakeToolHostFactory({
    client_9p: {},
    file_edit: {},
    file_read: {},
    file_write: {},
    shell: { info: { background: true } },
  });
  private readonly clients: Client[] = [];

  private constructor(
    readonly folder: string,
    readonly backend: FakeBackend,
  ) {}

  private module!: TestingModule;
  private strategy!: NinePStrategy;

  static async start(answers: readonly FakeAnswer[] = []): Promise<ServedOlliesrv> {
    const served = new ServedOlliesrv(realpathSync(mkdtempSync('/tmp/os-')), new FakeBackend(answers));
    await served.listen();
    return served;
  }

  /** With a session `s` that has the agents `coding` and `review`, and a client. */
  static async withAgents(answers: readonly FakeAnswer[]): Promise<{ readonly served: ServedOlliesrv; readonly client: Client }> {
    const served = await ServedOlliesrv.start(answers);
    const client = await served.dial();
    await client.writeAll('session/new', 'name=s\n');
    for (const name of ['coding', 'review']) await client.writeAll('session/s/agent/new', `name=${name}\n`);
    return { served, client };
  }

  get services(): OlliesrvServices {
    return this.module.get(OlliesrvServices);
  }

  get environment() {
    return { HOME: this.folder, XDG_RUNTIME_DIR: this.folder };
  }

  private get paths(): Paths {
    return Paths.from(this.environment);
  }

  get project(): string {
    return join(this.folder, 'project');
  }

  /** As the agent with that id. */
  async dialAgent(id: string): Promise<Client> {
    await this.openDoor(id);
    return this.dial({ address: parseAddress(`unix!${this.paths.agentDoor(id)}`) });
  }

  /** As it is done with the first connection of an agent to its tool server. */
  async openDoor(agentId: string): Promise<void> {
    await this.module.get(NamespaceDoors).open(agentId);
  }

  async dialGuest(): Promise<Client> {
    const address = `unix!${join(this.folder, 'guest')}`;
    await this.strategy.open(guestDoor(address));
    return this.dial({ address: parseAddress(address) });
  }

  /** Where the owner comes in. */
  get socket(): string {
    return join(this.folder, 'main');
  }

  async dial(options: Partial<DialOptions> = {}): Promise<Client> {
    const address = parseAddress(`unix!${this.socket}`);
    const client = await Client.dial({ address, uname: 'tester', aname: '', ...options });
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.close();
    await this.strategy.close();
    await this.services.sessions.close();
    await this.module.close();
    rmSync(this.folder, { recursive: true });
  }

  private async listen(): Promise<void> {
    mkdirSync(this.project);
    const options = { paths: this.paths, environment: this.environment, cwd: this.project, log: silentLog };
    this.module = await Test.createTestingModule({ imports: [OlliesrvModule.forRoot(options)] })
      .overrideProvider(BackendCatalog)
      .useValue(new FakeBackendCatalog(this.backend))
      .overrideProvider(ToolHostFactory)
      .useValue(this.hands)
      .compile();
    this.strategy = new NinePStrategy(mount(olliesrvNamespace, this.services), {
      listen: [`unix!${join(this.folder, 'main')}`],
    });
    this.module.get(NamespaceDoors).serveBy(this.strategy);
    await new Promise<void>((resolve, reject) => this.strategy.listen((error) => (error === undefined ? resolve() : reject(error))));
  }
}

/** What a file says. */
export async function textOf(client: Client, path: string): Promise<string> {
  return new TextDecoder().decode(await client.readAll(path));
}

/** Writes a request and gives its answer. */
export async function answerOf(client: Client, path: string, request: string): Promise<string> {
  return new TextDecoder().decode(await client.ask(path, request));
}
