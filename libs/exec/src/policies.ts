import { existsSync, realpathSync } from 'node:fs';
import type { Environment, Paths } from '#config';
import { loadPolicy, type SandboxPolicy } from '#sandbox';
import type { ToolDefinition } from '#tools';
import { toolGrants } from './command-line.js';

/** What policies are made from. `node` is the Node that runs Node tools. */
export interface PolicySources {
  readonly paths: Paths;
  readonly env: Environment;
  readonly node: string;
}

/**
 * The policy of each working directory and temporary directory, read when it is first needed and kept: links
 * in a path are followed once, before any tool of that directory could have changed them.
 */
export class Policies {
  private readonly known = new Map<string, SandboxPolicy>();
  private readonly node: string;
  private readonly toolDirectories = new Map<string, string>();

  constructor(private readonly sources: PolicySources) {
    this.node = realpathSync(sources.node);
    for (const directory of sources.paths.tools.filter((path) => existsSync(path))) this.resolved(directory);
  }

  /** With what `tool` needs to run at all. `cwd` undefined = no directory is granted. Throws SandboxConfigError. */
  for(tool: ToolDefinition, cwd: string | undefined, tmp: string): SandboxPolicy {
    const key = `${cwd ?? ''}\0${tmp}`;
    const policy = this.known.get(key) ?? loadPolicy(this.sources.paths, { ...this.sources.env, CWD: cwd, TMPDIR: tmp });
    this.known.set(key, policy);
    return { ...policy, grants: [...policy.grants, ...toolGrants(tool, this.resolved(tool.directory), this.node)] };
  }

  /** Followed once, like all links: a tool that may write above its own directory could put a link to anywhere in its place. */
  private resolved(directory: string): string {
    const known = this.toolDirectories.get(directory) ?? realpathSync(directory);
    this.toolDirectories.set(directory, known);
    return known;
  }
}
