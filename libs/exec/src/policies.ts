import { existsSync, realpathSync } from 'node:fs';
import type { Environment, Log, Paths } from '#config';
import {
  linksTo,
  loadPolicy,
  pathsOfPolicy,
  readProjectOf,
  realPathOf,
  SandboxConfigError,
  type ExplainedPolicy,
  type ReadProject,
} from '#sandbox';
import type { ToolDefinition } from '#tools';
import { toolGrants } from './command-line.js';
import { ForeignMounts } from './foreign-mounts.js';
import { Recent } from './recent.js';
import { refuseSilent } from './silent-mounts.js';

/** Some kilobytes each. */
const MOST_POLICIES = 256;

/** What policies are made from. `node` is the Node that runs Node tools. */
export interface PolicySources {
  readonly paths: Paths;
  readonly env: Environment;
  readonly node: string;
}

/** Where a call runs, and which named policy it asks for. `cwd` undefined = no directory is granted. */
export interface PolicyPlace {
  readonly cwd: string | undefined;
  readonly tmp: string;
  readonly name: string;
}

/** What a working directory was before any tool of it could change that: never dropped. */
interface Directory {
  readonly path: string;
  readonly project: ReadProject;
}

/**
 * The policy of each working directory, temporary directory and name, read when it is first needed and kept, as long as it is among
 * the last that were: links in a path are followed once, before any tool of that directory could have changed them. The
 * project's file is read once a directory for the same reason. What a policy has to remark is logged, each remark once.
 */
export class Policies {
  private readonly known = new Recent<ExplainedPolicy>(MOST_POLICIES);
  private readonly directories = new Map<string, Directory>();
  private readonly remarks = new Set<string>();
  private readonly node: string;
  private readonly toolDirectories = new Map<string, string>();
  private readonly links = new Map<string, readonly string[]>();
  /** The same object for the same tool and place, so that what is made of it can be kept with it. */
  private readonly ofTools = new WeakMap<ToolDefinition, WeakMap<ExplainedPolicy, ExplainedPolicy>>();

  constructor(
    private readonly sources: PolicySources,
    private readonly log: Log,
  ) {
    this.node = realpathSync(sources.node);
    for (const directory of sources.paths.tools.filter((path) => existsSync(path))) this.resolved(directory);
  }

  /** Resolves when `for` will hold nobody up. Throws SandboxConfigError, and CallRefusedError for a mount that does not answer. */
  async whenReachable(place: PolicyPlace, signal: AbortSignal): Promise<void> {
    if (this.known.get(keyOf(place)) !== undefined) return;
    const mounts = ForeignMounts.all();
    if (!mounts.isEmpty) await refuseSilent(pathsOfPolicy(...this.loading(place)), mounts, { signal, who: 'the policy names' });
  }

  /** With what `tool` needs to run at all. Throws SandboxConfigError. */
  for(tool: ToolDefinition, place: PolicyPlace): ExplainedPolicy {
    const policy = this.policyOf(place);
    const ofTool = this.ofTools.get(tool) ?? new WeakMap<ExplainedPolicy, ExplainedPolicy>();
    const known = ofTool.get(policy) ?? this.withTool(policy, tool);
    ofTool.set(policy, known);
    this.ofTools.set(tool, ofTool);
    return known;
  }

  private withTool(policy: ExplainedPolicy, tool: ToolDefinition): ExplainedPolicy {
    const grants = [...policy.grants, ...toolGrants(tool, this.resolved(tool.directory), this.node)];
    return { ...policy, grants, links: [...new Set([...policy.links, ...this.linksOf(tool.directory)])] };
  }

  private policyOf(place: PolicyPlace): ExplainedPolicy {
    const key = keyOf(place);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const policy = loadPolicy(...this.loading(place));
    this.known.set(key, policy);
    this.remark(policy.notes);
    return policy;
  }

  private loading({ cwd, tmp, name }: PolicyPlace): Parameters<typeof loadPolicy> {
    const { paths, env } = this.sources;
    return [paths, { ...env, CWD: cwd, TMPDIR: tmp }, { type: 'usual', name, project: this.projectOf(cwd) }];
  }

  /** Throws where a directory has become a link, or leads elsewhere: tools may have done that, to be granted its target. */
  private projectOf(cwd: string | undefined): ReadProject {
    if (cwd === undefined) return readProjectOf(this.sources.paths, cwd);
    const path = realPathOf(cwd);
    const known = this.directories.get(cwd) ?? { path, project: readProjectOf(this.sources.paths, cwd) };
    this.directories.set(cwd, known);
    if (known.path === path) return known.project;
    throw new SandboxConfigError(
      `${cwd}: was ${known.path} when this server first worked there and is ${path} now; a new server would take it`,
    );
  }

  private linksOf(directory: string): readonly string[] {
    const known = this.links.get(directory) ?? linksTo([directory, this.sources.node]);
    this.links.set(directory, known);
    return known;
  }

  private remark(notes: readonly string[]): void {
    for (const note of notes.filter((text) => !this.remarks.has(text))) {
      this.remarks.add(note);
      // A place that is not there is the ordinary case: policies name more than one machine has.
      this.log[note.endsWith('; skipped') ? 'debug' : 'info'](`sandbox policy: ${note}`);
    }
  }

  /** Followed once, like all links: a tool that may write above its own directory could put a link to anywhere in its place. */
  private resolved(directory: string): string {
    const known = this.toolDirectories.get(directory) ?? realpathSync(directory);
    this.toolDirectories.set(directory, known);
    return known;
  }
}

function keyOf({ cwd, tmp, name }: PolicyPlace): string {
  return `${cwd ?? ''}\0${tmp}\0${name}`;
}
