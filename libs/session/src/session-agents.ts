import { NotFoundError, PartnerError } from '#model';
import type { EventData, EventSink, GivenName, JsonObject, ToolHost, Topic } from '#model';
import { type Agent, type AgentFactory, type AgentSurroundings, restoreSettings } from '#agent';
import type { AgentRecord, SessionRecord } from '#store';
import { type Log, messageOf } from '#config';
import { agentBlueprint, type AgentPlace } from './agent-blueprint.js';
import { childRequest } from './child-request.js';
import { indexLines } from './index-lines.js';
import type { KeptNumbers } from './kept-numbers.js';
import type { KeptSessions } from './kept-sessions.js';
import { NamedChildren } from './named-children.js';
import { type AgentRequest, checkAgentLine, parseAgentRequest } from './requests.js';
import { agentRecord, identityOf, setupOf } from './session-form.js';
import { surroundingsOf } from './surroundings.js';

/** Where the agents of a session live and what makes them. */
export interface AgentHome extends AgentPlace {
  readonly sessionName: GivenName;
  readonly hands: ToolHost;
  readonly numbers: KeptNumbers;
  /** The text of `session/idx`. */
  readonly sessionLines: () => string;
  readonly factory: AgentFactory;
  readonly events: EventSink;
  readonly kept: KeptSessions;
  readonly log: Log;
}

/** The agents of one session. Names are unique within it; an agent that was removed is never found again. */
export class SessionAgents {
  private readonly children = new NamedChildren<Agent>('agent', (agent, name) => {
    this.keepAgent(agent, { ...agentRecord(agent), name });
    this.tell(agent, 'agent.renamed', { name, was: agent.name });
  });
  private readonly surroundings: AgentSurroundings;
  /** What the session's file says of each. */
  private readonly records = new Map<string, AgentRecord>();
  private isClosed = false;
  /** Nothing is kept of it any more. */
  private isKilled = false;
  private held = false;

  constructor(private readonly home: AgentHome) {
    this.surroundings = surroundingsOf(home, this);
    home.numbers.keptBy(() => this.keep((session) => session));
  }

  get all(): readonly Agent[] {
    return this.children.all;
  }

  entries(): Iterable<readonly [name: string, agent: Agent]> {
    return this.children.entries();
  }

  find(nameOrId: string): Agent | undefined {
    return this.children.find(nameOrId);
  }

  get isHeld(): boolean {
    return this.held;
  }

  /** While held no agent starts a turn, those included that come later. Throws PartnerError. */
  hold(held: boolean): void {
    this.keep((session) => ({ ...session, paused: held }));
    this.held = held;
    for (const agent of this.all) agent.hold(held);
  }

  /** One line an agent: name, id, state, profile, backend, model, cwd. */
  index(): string {
    return indexLines(this.all.map((a) => [a.name, a.id, a.state.value, a.profileName, a.backendName, a.modelName, a.cwd]));
  }

  /**
   * Refuses a line that cannot be part of a legal request: IllegalInputError, or NotFoundError (backend, profile, parent).
   * True when everything behind it is prompt.
   */
  checkLine(line: string): boolean {
    return checkAgentLine(line, (request) => this.demandKnown(request));
  }

  /**
   * Makes the agent that `text` asks for (contract 1.7) and gives its id. With `prompt` it runs that at once: the
   * answer then comes when the turn ends, is the last assistant text, and the agent is gone; an abort interrupts
   * and removes it. Resolves when the agent is there. An `asker` that is an agent itself can only have children.
   */
  async answer(text: string, signal: AbortSignal, asker?: Agent): Promise<string | AsyncIterable<string>> {
    const asked = parseAgentRequest(text);
    const request = asker ? await childRequest(asked, asker, this.home.home) : asked;
    const agent = await this.create(request);
    return request.prompt === undefined ? `${agent.id}\n` : reply(this.runToEnd(agent, request.prompt, signal));
  }

  /** Throws AlreadyExistsError, NotFoundError (agent, profile, backend, directory), PermissionDeniedError. */
  async create(request: AgentRequest): Promise<Agent> {
    const { identity, setup } = await agentBlueprint(request, this.home, this.parentOf(request));
    if (this.isClosed) throw new NotFoundError('session', this.home.sessionName.value);
    this.children.refuseTaken(identity.name);
    const agent = this.home.factory.create(identity, setup, this.surroundings, this.home.kept.agent(identity.id, false));
    agent.hold(this.held && !this.isPartOfTurn(request));
    this.keep((session) => ({ ...session, agents: [...session.agents, agentRecord(agent)] }));
    this.add(agent);
    this.tell(agent, 'agent.created', { name: agent.name, profile: agent.profileName });
    return agent;
  }

  /** Puts back the agents that the session's file tells of, as they were but for what runs: see `wake`. */
  restore({ agents, paused }: SessionRecord): void {
    this.held = paused;
    for (const record of agents) this.restoreAgent(record);
  }

  /** The agents of these ids go on with what they have left to do. */
  wake(ids: ReadonlySet<string>): void {
    for (const agent of this.all.filter(({ id }) => ids.has(id))) {
      try {
        agent.wake();
      } catch (error) {
        if (!(error instanceof PartnerError)) throw error;
        this.reportUnread(error);
      }
    }
  }

  /** Ends all for this process; they come back with the next one. */
  async suspend(): Promise<void> {
    this.isClosed = true;
    const settled = await Promise.allSettled(this.all.map((agent) => agent.suspend()));
    for (const outcome of settled) if (outcome.status === 'rejected') this.reportUnread(outcome.reason);
  }

  /** Writes what is kept of all anew, and the session's file. Throws PartnerError. */
  save(): void {
    for (const agent of this.all) agent.save();
    this.keep((session) => session);
  }

  private restoreAgent(record: AgentRecord): void {
    const { factory, kept, sessionId, profiles, log } = this.home;
    const store = kept.agent(record.id, true);
    if (!store || this.children.find(record.name)) return;
    const agent = factory.restore(identityOf(record, sessionId), setupOf(record, profiles, log), this.surroundings, store);
    restoreSettings(agent.settings, record.settings);
    agent.hold(this.held);
    this.add(agent);
  }

  private add(agent: Agent): void {
    this.children.add(agent);
    this.records.set(agent.id, agentRecord(agent));
    agent.settings.keptBy((values) => this.keepAgent(agent, agentRecord(agent, values)));
    agent.whenKilled(() => void this.kill(agent).catch((error: unknown) => this.reportUnread(error)));
  }

  private keepAgent(agent: Agent, record: AgentRecord): void {
    this.keep((session) => ({ ...session, agents: session.agents.map((other) => (other.id === agent.id ? record : other)) }));
    this.records.set(agent.id, record);
  }

  /** Writes the session's file. */
  private keep(change: (session: SessionRecord) => SessionRecord): void {
    if (this.isKilled) return;
    const { kept, sessionId: id, sessionName, cwd, numbers } = this.home;
    const created = Number(id.slice(0, 13));
    const agents = [...this.records.values()];
    kept.save(() =>
      change({ id, name: sessionName.value, cwd, remote: undefined, paused: this.held, created, agents, lastProcess: numbers.last }),
    );
  }

  /** The session's file under a new name. Throws PartnerError. */
  rename(name: string): void {
    this.keep((session) => ({ ...session, name }));
  }

  /** Takes note of a failure that nobody waits for. */
  reportUnread(error: unknown): void {
    this.home.log.warn(`session ${this.home.sessionName.value}: ${messageOf(error)}`);
  }

  /** Removes an agent and its children; resolves when their turns have ended. */
  async kill(agent: Agent): Promise<void> {
    if (!this.children.remove(agent)) return;
    this.records.delete(agent.id);
    this.tell(agent, 'agent.killed', { name: agent.name });
    const children = this.all.filter((other) => other.identity.parentId === agent.id);
    this.keepWithout(agent);
    await Promise.all([agent.kill(), ...children.map((child) => this.kill(child))]);
  }

  /** Removes all; nothing can be created any more. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.isKilled = true;
    await Promise.all(this.all.map((agent) => this.kill(agent)));
  }

  /** A disk that does not take this cannot keep the agent here. */
  private keepWithout(agent: Agent): void {
    try {
      this.keep((session) => session);
      this.home.kept.killAgent(agent.id);
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      this.home.log.error(`agent ${agent.id} may come back: ${error.message}`);
    }
  }

  private async runToEnd(agent: Agent, prompt: string, signal: AbortSignal): Promise<string> {
    try {
      return await agent.run(prompt, signal);
    } finally {
      await this.kill(agent);
    }
  }

  private tell<T extends Topic>(agent: Agent, topic: T, data: EventData[T] & JsonObject): void {
    this.home.events.publish(topic, { session: this.home.sessionId, agent: agent.id }, data);
  }

  private demandKnown(request: AgentRequest): void {
    if (request.backend !== undefined) this.home.factory.demandBackend(request.backend);
    if (request.profile !== undefined) this.home.profiles.get(request.profile);
    this.parentOf(request);
  }

  /** A running turn is to end although the session is paused, and with it what it asks of others. */
  private isPartOfTurn(request: AgentRequest): boolean {
    return request.prompt !== undefined && this.parentOf(request)?.state.value === 'running';
  }

  private parentOf(request: AgentRequest): Agent | undefined {
    if (request.parent === undefined) return undefined;
    const parent = this.find(request.parent);
    if (!parent) throw new NotFoundError('agent', request.parent);
    return parent;
  }
}

/** One piece, when it is there. The turn runs whether or not anybody iterates; who does gets its failure too. */
function reply(running: Promise<string>): AsyncIterable<string> {
  const settled = Promise.allSettled([running]);
  return (async function* wait() {
    const [outcome] = await settled;
    if (outcome.status === 'rejected') throw outcome.reason;
    yield outcome.value;
  })();
}
