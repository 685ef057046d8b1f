import { NotFoundError } from '#model';
import type { ToolHost } from '#model';
import type { Agent, AgentFactory } from '#agent';
import { type Log, messageOf } from '#config';
import { agentBlueprint, type AgentPlace } from './agent-blueprint.js';
import { indexLines } from './index-lines.js';
import { NamedChildren } from './named-children.js';
import { type AgentRequest, checkAgentLine, parseAgentRequest } from './requests.js';

/** Where the agents of a session live and what makes them. */
export interface AgentHome extends AgentPlace {
  readonly sessionName: string;
  readonly hands: ToolHost;
  readonly factory: AgentFactory;
  readonly log: Log;
}

/** The agents of one session. Names are unique within it; an agent that was removed is never found again. */
export class SessionAgents {
  private readonly children = new NamedChildren<Agent>('agent');
  private isClosed = false;

  constructor(private readonly home: AgentHome) {}

  get all(): readonly Agent[] {
    return this.children.all;
  }

  entries(): Iterable<readonly [name: string, agent: Agent]> {
    return this.children.entries();
  }

  find(nameOrId: string): Agent | undefined {
    return this.children.find(nameOrId);
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
   * and removes it. Resolves when the agent is there.
   */
  async answer(text: string, signal: AbortSignal): Promise<string | AsyncIterable<string>> {
    const request = parseAgentRequest(text);
    const agent = await this.create(request);
    return request.prompt === undefined ? `${agent.id}\n` : reply(this.runToEnd(agent, request.prompt, signal));
  }

  /** Throws AlreadyExistsError, NotFoundError (agent, profile, backend, directory), PermissionDeniedError. */
  async create(request: AgentRequest): Promise<Agent> {
    const { identity, setup } = await agentBlueprint(request, this.home, this.parentOf(request));
    if (this.isClosed) throw new NotFoundError('session', this.home.sessionName);
    this.children.refuseTaken(identity.name);
    const agent = this.home.factory.create(identity, setup, this.home.hands);
    this.children.add(agent);
    this.removeWhenKilled(agent).catch((error: unknown) => this.reportUnread(error));
    return agent;
  }

  /** Takes note of a failure that nobody waits for. */
  reportUnread(error: unknown): void {
    this.home.log.warn(`session ${this.home.sessionName}: ${messageOf(error)}`);
  }

  /** Removes an agent and its children; resolves when their turns have ended. */
  async kill(agent: Agent): Promise<void> {
    if (!this.children.remove(agent)) return;
    const children = this.all.filter((other) => other.identity.parentId === agent.id);
    await Promise.all([agent.kill(), ...children.map((child) => this.kill(child))]);
  }

  /** Removes all; nothing can be created any more. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.all.map((agent) => this.kill(agent)));
  }

  /** An agent may also be killed by itself, through its own `ctl`. */
  private async removeWhenKilled(agent: Agent): Promise<void> {
    await agent.state.until((state) => state === 'killed', new AbortController().signal);
    await this.kill(agent);
  }

  private async runToEnd(agent: Agent, prompt: string, signal: AbortSignal): Promise<string> {
    try {
      return await agent.run(prompt, signal);
    } finally {
      await this.kill(agent);
    }
  }

  private demandKnown(request: AgentRequest): void {
    if (request.backend !== undefined) this.home.factory.demandBackend(request.backend);
    if (request.profile !== undefined) this.home.profiles.get(request.profile);
    this.parentOf(request);
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
