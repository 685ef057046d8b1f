import { resolve } from 'node:path';
import { Agent, parseMarkup, type AgentSetup, type AgentStore, type AgentSurroundings, type Block, type Profile } from '#agent';
import { silentLog, type Log } from '#config';
import { newId, NotFoundError, type ToolHost, type Backend, type Clock, type Message } from '#model';
import type { ByteLog, Client } from '#virtfs';
import { FakeBackend, FakeBackendCatalog, type FakeAnswer } from './fake-backend.js';
import { FakeApprovalDesk } from './fake-approval-desk.js';
import { FakeEvents } from './fake-events.js';
import { FakeClock } from './fake-clock.js';
import { FakeToolHost, type FakeTools } from './fake-tool-server.js';

/** What differs from an idle agent whose tools are all loaded and whose model says `done`. */
export interface BenchOptions {
  readonly answers?: readonly (FakeAnswer | ((request: FakeBackend['requests'][number]) => FakeAnswer))[];
  readonly backends?: readonly Backend[];
  readonly tools?: FakeTools;
  readonly profile?: Partial<Profile>;
  readonly setup?: Partial<Omit<AgentSetup, 'profile'>>;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Where it is kept. */
  readonly store?: AgentStore;
}

/** An agent on fakes, with ways to prompt it and to read what it did. */
export class AgentBench {
  readonly backend: FakeBackend;
  readonly catalog: FakeBackendCatalog;
  readonly host: FakeToolHost;
  readonly clock: Clock;
  readonly events = new FakeEvents();
  readonly desk = new FakeApprovalDesk();
  readonly agent: Agent;

  constructor(options: BenchOptions = {}) {
    this.backend = new FakeBackend(options.answers ?? []);
    this.host = new FakeToolHost(options.tools ?? {});
    this.clock = options.clock ?? new FakeClock();
    this.catalog = new FakeBackendCatalog(...(options.backends ?? [this.backend]));
    const ports = { backends: this.catalog, clock: this.clock, log: options.log ?? silentLog, events: this.events, approvals: this.desk };
    const profile = { ...benchProfile(Object.keys(this.host.tools)), ...options.profile };
    const setup = { backend: undefined, model: undefined, maxSteps: undefined, ...options.setup, profile };
    const identity = { id: newId(), sessionId: newId(), name: 'bench', cwd: '/project', parentId: undefined, depth: 0 };
    this.agent = new Agent(
      identity,
      setup,
      ports,
      aloneWith(this.host, () => this.agent),
      options.store,
    );
  }

  /** Submits and waits until the agent is idle. */
  async prompt(text: string, from?: Client): Promise<void> {
    this.agent.submit(text, from);
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.agent.state.until((state) => state !== 'running', new AbortController().signal);
  }

  get chat(): string {
    return textOf(this.agent.transcript.plain);
  }

  get lines(): readonly string[] {
    return this.chat.trimEnd().split('\n');
  }

  /** The blocks of chat.raw, without those of the given roles. */
  blocks(...without: readonly string[]): readonly Block[] {
    return parseMarkup(textOf(this.agent.transcript.raw)).filter((block) => !without.includes(block.role));
  }

  /** The roles of chat.raw in order. */
  get roles(): readonly string[] {
    return this.blocks().map((block) => block.role);
  }

  /** The value of a key of `stats`; undefined when it is not there. */
  stat(key: string): string | undefined {
    return valueOf(this.agent.stats(), key);
  }

  cfg(key: string): string | undefined {
    return valueOf(this.agent.cfg(), key);
  }
}

/** The surroundings of an agent that has its session for itself. Every path but one with `missing` in it is a directory. */
export function aloneWith(hands: ToolHost, agent: () => Agent): AgentSurroundings {
  return {
    hands,
    entries: () => [[agent().name, agent()]],
    find: (name) => [agent()].find((one) => one.name === name || one.id === name),
    profiles: () => ['default'],
    sessions: () => '',
    directory: async (path, base) => {
      if (path.includes('missing')) throw new NotFoundError('directory', path);
      return resolve(base, path);
    },
  };
}

/** A profile that loads the given tools. */
export function benchProfile(autoLoad: readonly string[] = []): Profile {
  return {
    name: 'default',
    systemPrompt: 'You are a bench.',
    backend: undefined,
    model: undefined,
    tools: true,
    autoLoad,
    maxSteps: 0,
    maxStepsNudge: '[system] No more tools.',
    feed: 'manual',
    compactionModel: undefined,
    params: {},
  };
}

export function rolesOf(messages: readonly Message[] = []): readonly string[] {
  return messages.map((message) => message.role);
}

/** The text of each message. */
export function textsOf(messages: readonly Message[] = []): readonly string[] {
  return messages.map((message) => message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}

/** All that a log holds now. */
export function textOf(log: ByteLog): string {
  return log.tail(log.length);
}

function valueOf(lines: string, key: string): string | undefined {
  const line = lines.split('\n').find((candidate) => candidate.startsWith(`${key}=`));
  return line?.slice(key.length + 1);
}
