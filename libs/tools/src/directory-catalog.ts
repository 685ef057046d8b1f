import { ConfigError, loadYaml } from '#config';
import { NotFoundError, type CatalogEntry, type JsonObject } from '#model';
import { ToolCatalog } from './catalog.js';
import { type ArgumentCheck, compileCheck, lateCheck } from './check-arguments.js';
import { ToolMetadataError } from './errors.js';
import type { ToolMetadata } from './metadata.js';
import { parseMetadata } from './parse-metadata.js';
import { resolveCommand } from './resolve-tool.js';
import { sidecarsIn, type Sidecar } from './sidecars.js';
import type { ToolDefinition } from './tool-definition.js';

interface Parsed {
  readonly metadata: ToolMetadata;
  readonly check: ArgumentCheck;
}

/** What a metadata file turned out to be: a tool, or the reason why it is none. */
type Found =
  | { readonly name: string; readonly description: string; readonly source: string; readonly tool: ToolDefinition }
  | { readonly name: string; readonly description: string; readonly source: string; readonly reason: string };

/**
 * Tools found as `<name>.yaml` in directories; the first directory that has a name wins. Files are parsed
 * again only when they changed; what a tool requires of the host is looked up each time. A broken file
 * makes its own tool unavailable and nothing else.
 */
export class DirectoryCatalog extends ToolCatalog {
  private parsed = new Map<string, Parsed | ToolMetadataError>();

  /** `packaged`: the directory whose schemas are known to be right; those are compiled when they are needed. */
  constructor(
    private readonly directories: readonly string[],
    private readonly searchPath: string,
    private readonly packaged?: string,
  ) {
    super();
  }

  entries(): readonly CatalogEntry[] {
    return [...this.scan().values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(toEntry);
  }

  find(name: string): ToolDefinition {
    const found = this.scan().get(name);
    if (found === undefined) throw new NotFoundError('tool', name);
    if ('reason' in found) throw new NotFoundError('tool', `${name}: ${found.reason}`);
    return found.tool;
  }

  private scan(): ReadonlyMap<string, Found> {
    const known = this.parsed;
    this.parsed = new Map();
    const tools = new Map<string, Found>();
    for (const sidecar of this.directories.flatMap(sidecarsIn)) {
      const key = `${sidecar.file}\0${sidecar.stamp}`;
      const parsed = known.get(key) ?? parse(sidecar, sidecar.directory === this.packaged ? lateCheck : compileCheck);
      this.parsed.set(key, parsed);
      const found = this.resolve(parsed, sidecar);
      if (!tools.has(found.name)) tools.set(found.name, found);
    }
    return tools;
  }

  private resolve(parsed: Parsed | ToolMetadataError, sidecar: Sidecar): Found {
    const source = sidecar.file;
    if (parsed instanceof ToolMetadataError) return { name: sidecar.stem, description: '', source, reason: parsed.message };
    const { name, description } = parsed.metadata;
    const tool = orMetadataError(() => define(parsed, sidecar, this.searchPath));
    return tool instanceof ToolMetadataError ? { name, description, source, reason: tool.message } : { name, description, source, tool };
  }
}

function parse(sidecar: Sidecar, compile: (schema: JsonObject) => ArgumentCheck): Parsed | ToolMetadataError {
  return orMetadataError(() => {
    const metadata = parseMetadata(yamlOf(sidecar.file), sidecar);
    return { metadata, check: orReason(() => compile(metadata.input), sidecar.file) };
  });
}

function yamlOf(file: string): unknown {
  try {
    return loadYaml(file);
  } catch (error) {
    if (error instanceof ConfigError) throw new ToolMetadataError(file, error.message.replace(`${file}: `, ''));
    throw error;
  }
}

function orReason(compile: () => ArgumentCheck, file: string): ArgumentCheck {
  try {
    return compile();
  } catch (error) {
    // A plugin boundary: the schema is the user's, and its compiler throws plain Errors about it.
    if (error instanceof Error) throw new ToolMetadataError(file, `input: ${error.message}`);
    throw error;
  }
}

function define({ metadata, check }: Parsed, sidecar: Sidecar, searchPath: string): ToolDefinition {
  const { name, description, input, tier, parallel, bypass, timeout, background, pass, env, door } = metadata;
  return {
    info: { name, description, inputSchema: input, tier, parallel, bypass, timeout, background },
    source: sidecar.file,
    directory: sidecar.directory,
    command: resolveCommand(metadata, sidecar, searchPath),
    pass,
    env,
    hasDoor: door === 'agent',
    check,
  };
}

function orMetadataError<T>(work: () => T): T | ToolMetadataError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ToolMetadataError) return error;
    throw error;
  }
}

function toEntry({ name, description, source, ...rest }: Found): CatalogEntry {
  return 'reason' in rest
    ? { name, description, source, available: false, reason: rest.reason }
    : { name, description, source, available: true };
}
