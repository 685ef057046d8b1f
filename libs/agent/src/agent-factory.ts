import { Injectable } from '@nestjs/common';
import type { ToolHost } from '#model';
import type { AgentIdentity, AgentSetup } from './agent-identity.js';
import { AgentPorts } from './agent-ports.js';
import { Agent } from './agent.js';

/** Makes agents. What it makes belongs to the caller, who ends it with `kill`. */
@Injectable()
export class AgentFactory {
  constructor(private readonly ports: AgentPorts) {}

  create(identity: AgentIdentity, setup: AgentSetup, hands: ToolHost): Agent {
    return new Agent(identity, setup, this.ports, hands);
  }
}
