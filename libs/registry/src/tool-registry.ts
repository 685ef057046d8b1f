import { Injectable } from '@nestjs/common';
import { NotFoundError, type ToolInfo } from '#model';
import { ToolCatalog, type ToolDefinition } from '#tools';

interface LoadedSet {
  readonly tools: Map<string, ToolDefinition>;
  revision: number;
}

/**
 * Which tools each agent may call. Discovery says what the host has; a tool becomes callable for one agent
 * by being loaded, in the form that it has at that moment. Every load and unload counts the agent's revision up.
 */
@Injectable()
export class ToolRegistry {
  private readonly agents = new Map<string, LoadedSet>();

  constructor(private readonly catalog: ToolCatalog) {}

  /** Resolves the tool afresh. Throws NotFoundError and changes nothing when the host does not have it. */
  load(agent: string, name: string): void {
    const tool = this.catalog.find(name);
    const set = this.setOf(agent);
    set.tools.set(name, tool);
    set.revision += 1;
  }

  /** Throws NotFoundError for a tool that this agent has not loaded. */
  unload(agent: string, name: string): void {
    const set = this.agents.get(agent);
    if (set === undefined || !set.tools.delete(name)) throw new NotFoundError('tool', name);
    set.revision += 1;
  }

  /** The agent's tools, sorted by name; none for an agent that never loaded one. */
  loaded(agent: string): readonly ToolInfo[] {
    const tools = [...(this.agents.get(agent)?.tools.values() ?? [])];
    return tools.map((tool) => tool.info).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  lookup(agent: string, name: string): ToolDefinition | undefined {
    return this.agents.get(agent)?.tools.get(name);
  }

  /** 0 for an agent that never loaded anything. */
  revision(agent: string): number {
    return this.agents.get(agent)?.revision ?? 0;
  }

  private setOf(agent: string): LoadedSet {
    const known = this.agents.get(agent);
    if (known !== undefined) return known;
    const fresh: LoadedSet = { tools: new Map(), revision: 0 };
    this.agents.set(agent, fresh);
    return fresh;
  }
}
