import { NotFoundError, type CatalogEntry, type ToolInfo } from '#model';
import { ToolCatalog, type ToolDefinition } from '#tools';

/** A catalog of given tools that run nothing; `tools` may be changed at any time. */
export class FakeToolCatalog extends ToolCatalog {
  constructor(public tools: readonly ToolDefinition[]) {
    super();
  }

  entries(): readonly CatalogEntry[] {
    return this.tools.map(({ info, source }) => ({ name: info.name, description: info.description, source, available: true }));
  }

  find(name: string): ToolDefinition {
    const tool = this.tools.find(({ info }) => info.name === name);
    if (tool === undefined) throw new NotFoundError('tool', name);
    return tool;
  }
}

/** A tool whose command is `true`, with every argument allowed. */
export function fakeTool(
  info: Partial<ToolInfo> & Pick<ToolInfo, 'name'>,
  rest: Partial<Omit<ToolDefinition, 'info'>> = {},
): ToolDefinition {
  return {
    info: {
      description: `does ${info.name}`,
      inputSchema: { type: 'object' },
      tier: 'hot',
      parallel: 'none',
      bypass: 'never',
      timeout: 120,
      background: false,
      ...info,
    },
    source: `/tools/${info.name}.yaml`,
    directory: '/usr/bin',
    command: { type: 'argv', argv: ['true'] },
    pass: 'stdin',
    env: [],
    hasDoor: false,
    check: () => undefined,
    ...rest,
  };
}
