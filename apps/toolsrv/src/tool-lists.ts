import { Injectable } from '@nestjs/common';
import { IllegalInputError } from '#model';
import { ToolRegistry } from '#registry';
import { ToolCatalog } from '#tools';

/** What `ctl`, `tools`, `tools_rev` and `all` say and take, as text. */
@Injectable()
export class ToolLists {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly catalog: ToolCatalog,
  ) {}

  /** `line`: an agent id and a tool name. */
  load(line: string): void {
    const [agent, tool] = agentAndTool('load', line);
    this.registry.load(agent, tool);
  }

  unload(line: string): void {
    const [agent, tool] = agentAndTool('unload', line);
    this.registry.unload(agent, tool);
  }

  /** The agent's tools as one JSON array, sorted by name; empty for an unknown agent. */
  loaded(agent: string): string {
    return `${JSON.stringify(this.registry.loaded(agent.trim()))}\n`;
  }

  revision(agent: string): string {
    return `${this.registry.revision(agent.trim())}\n`;
  }

  /** A JSON array, one tool a line, sorted by name. */
  all(): string {
    const lines = this.catalog.entries().map((entry) => JSON.stringify(entry));
    return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
  }
}

function agentAndTool(word: string, line: string): readonly [agent: string, tool: string] {
  const [agent, tool, ...rest] = line.trim().split(/\s+/);
  if (agent === undefined || tool === undefined || rest.length > 0)
    throw new IllegalInputError('argument', `usage: ${word} <agent> <tool>`);
  return [agent, tool];
}
