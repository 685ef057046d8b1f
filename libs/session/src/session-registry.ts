import { AgentFactory, ProfileStore } from '#agent';
import { newId, ToolHostFactory } from '#model';
import { Injectable } from '@nestjs/common';
import { indexLines } from './index-lines.js';
import { NamedChildren } from './named-children.js';
import { parseSessionRequest, type SessionRequest } from './requests.js';
import { Session, type SessionIdentity } from './session.js';
import { SessionAgents } from './session-agents.js';
import { SessionDefaults } from './session-defaults.js';
import { workingDirectory } from './working-directory.js';

/** The sessions of this server. */
@Injectable()
export class SessionRegistry {
  private readonly children = new NamedChildren<Session>('session');

  // Four ports: each is a part of what a session is made of.
  constructor(
    private readonly factory: AgentFactory,
    private readonly profiles: ProfileStore,
    private readonly hosts: ToolHostFactory,
    private readonly defaults: SessionDefaults,
  ) {}

  get all(): readonly Session[] {
    return this.children.all;
  }

  entries(): Iterable<readonly [name: string, session: Session]> {
    return this.children.entries();
  }

  find(nameOrId: string): Session | undefined {
    return this.children.find(nameOrId);
  }

  /** Makes the session that `text` asks for (contract 1.7) and gives its name. */
  async answer(text: string): Promise<string> {
    return `${(await this.create(parseSessionRequest(text))).name}\n`;
  }

  /** Throws AlreadyExistsError, NotFoundError (directory). */
  async create(request: SessionRequest): Promise<Session> {
    const cwd = await workingDirectory(request.cwd ?? '.', this.defaults.cwd, this.defaults.home);
    const id = newId();
    const name = request.name ?? id;
    this.children.refuseTaken(name);
    const session = this.build({ id, name, cwd });
    this.children.add(session);
    return session;
  }

  /** One line a session: name, id, state, number of agents, remote host or `-`. */
  index(): string {
    return indexLines(this.all.map((s) => [s.name, s.id, s.state, String(s.agents.all.length), '-']));
  }

  /** One line for each session and agent: id, path. */
  aliases(): string {
    return indexLines(this.all.flatMap((session) => aliasesOf(session)));
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((session) => session.close()));
  }

  private build(identity: SessionIdentity): Session {
    const { home, environment, log } = this.defaults;
    const hands = this.hosts.forSession(identity.id, identity.cwd);
    const agents = new SessionAgents({
      sessionId: identity.id,
      sessionName: identity.name,
      cwd: identity.cwd,
      home,
      hands,
      profiles: this.profiles,
      factory: this.factory,
      log,
    });
    return new Session(identity, { agents, hands, environment, onClose: (session) => this.children.remove(session) });
  }
}

function aliasesOf(session: Session): readonly (readonly string[])[] {
  const path = `session/${session.name}`;
  return [[session.id, path], ...session.agents.all.map((agent) => [agent.id, `${path}/agent/${agent.name}`])];
}
