import { AgentFactory, ProfileStore } from '#agent';
import { EventSink, GivenName, newId, ToolHostFactory } from '#model';
import type { SessionRecord } from '#store';
import { Injectable } from '@nestjs/common';
import { indexLines } from './index-lines.js';
import { KeptNumbers } from './kept-numbers.js';
import { NamedChildren } from './named-children.js';
import { parseSessionRequest, type SessionRequest } from './requests.js';
import { Session, type SessionIdentity } from './session.js';
import { SessionAgents } from './session-agents.js';
import { SessionDefaults } from './session-defaults.js';
import { workingDirectory } from './working-directory.js';

/** The sessions of this server. */
@Injectable()
export class SessionRegistry {
  private readonly children = new NamedChildren<Session>('session', (session, name) => {
    session.agents.rename(name);
    this.events.publish('session.renamed', { session: session.id }, { name, was: session.name });
  });

  // Five ports: each is a part of what a session is made of.
  constructor(
    private readonly factory: AgentFactory,
    private readonly profiles: ProfileStore,
    private readonly hosts: ToolHostFactory,
    private readonly defaults: SessionDefaults,
    private readonly events: EventSink,
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
    const session = this.build({ id, givenName: new GivenName(name), cwd });
    session.agents.save();
    this.children.add(session);
    this.events.publish('session.created', { session: id }, { name });
    return session;
  }

  /** One line a session that is shown: name, id, state, number of agents, remote host or `-`. */
  index(isShown: (session: Session) => boolean = () => true): string {
    return indexLines(this.all.filter(isShown).map((s) => [s.name, s.id, s.state, String(s.agents.all.length), '-']));
  }

  /** One line for each session that is shown, and each of its agents: id, path. */
  aliases(isShown: (session: Session) => boolean = () => true): string {
    return indexLines(this.all.filter(isShown).flatMap((session) => aliasesOf(session)));
  }

  /** Drops what is cached of models, profiles and tools. */
  invalidate(): void {
    this.factory.invalidate();
    this.profiles.invalidate();
    this.hosts.invalidate();
  }

  /** Puts back what an earlier process has left, and goes on with it. */
  restore(): void {
    const ids = this.defaults.kept.working();
    for (const record of this.defaults.kept.sessions()) this.restoreSession(record);
    const known = new Set(this.all.flatMap((session) => session.agents.all.map(({ id }) => id)));
    for (const id of ids) if (!known.has(id)) this.defaults.kept.forgetWork(id);
    for (const session of this.all) session.agents.wake(ids);
  }

  /** Ends all sessions for this process; those that are kept come back with the next one. */
  async close(): Promise<void> {
    const ending = this.all.map((session) => session.suspend());
    for (const session of this.all) this.children.remove(session);
    await Promise.all(ending);
    await this.defaults.kept.close();
  }

  private restoreSession(record: SessionRecord): void {
    const { id, name, cwd, lastProcess } = record;
    const session = this.build({ id, givenName: new GivenName(this.find(name) ? id : name), cwd }, lastProcess);
    session.agents.restore(record);
    this.children.add(session);
  }

  private forget(session: Session): void {
    if (!this.children.remove(session)) return;
    this.defaults.kept.kill(session.id);
    this.events.publish('session.killed', { session: session.id }, { name: session.name });
  }

  private build(identity: SessionIdentity, lastProcess = 0): Session {
    const { home, environment, kept, log } = this.defaults;
    const numbers = new KeptNumbers(lastProcess);
    const hands = this.hosts.forSession(identity.id, identity.cwd, numbers);
    const agents = new SessionAgents({
      sessionId: identity.id,
      sessionName: identity.givenName,
      cwd: identity.cwd,
      home,
      hands,
      numbers,
      sessionLines: () => this.index(),
      profiles: this.profiles,
      factory: this.factory,
      events: this.events,
      kept,
      log,
    });
    return new Session(identity, {
      agents,
      hands,
      environment,
      invalidate: () => this.invalidate(),
      events: this.events,
      onClose: (session) => this.forget(session),
      path: () => kept.path(identity.id),
    });
  }
}

function aliasesOf(session: Session): readonly (readonly string[])[] {
  const path = `session/${session.name}`;
  return [[session.id, path], ...session.agents.all.map((agent) => [agent.id, `${path}/agent/${agent.name}`])];
}
