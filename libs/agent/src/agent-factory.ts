import { Injectable } from '@nestjs/common';
import { NotFoundError } from '#model';
import type { AgentIdentity, AgentSetup } from './agent-identity.js';
import type { AgentSurroundings } from './agent-surroundings.js';
import { AgentPorts } from './agent-ports.js';
import { Agent } from './agent.js';
import type { AgentStore } from './kept/agent-journal.js';
import { BackendChoice } from './backend-choice.js';

/** Makes agents. What it makes belongs to the caller, who ends it with `kill`. */
@Injectable()
export class AgentFactory {
  constructor(private readonly ports: AgentPorts) {}

  /** Throws NotFoundError when what is to choose its backend names one that is not there. */
  create(identity: AgentIdentity, setup: AgentSetup, surroundings: AgentSurroundings, store?: AgentStore): Agent {
    new BackendChoice(this.ports.backends, setup).demandKnown();
    return new Agent(identity, setup, this.ports, surroundings, store);
  }

  /** An agent of an earlier process; whether its backend is there is a matter of its turns. */
  restore(identity: AgentIdentity, setup: AgentSetup, surroundings: AgentSurroundings, store: AgentStore): Agent {
    return new Agent(identity, setup, this.ports, surroundings, store);
  }

  /** Drops what is cached of models. */
  invalidate(): void {
    this.ports.backends.invalidate();
  }

  /** Throws NotFoundError. */
  demandBackend(name: string): void {
    if (!this.ports.backends.names().includes(name)) throw new NotFoundError('backend', name);
  }
}
