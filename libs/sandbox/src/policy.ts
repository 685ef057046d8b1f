/** x: may be executed; w: may be written, created and removed. Reading is in every class. */
export type GrantClass = 'ro' | 'rox' | 'rw' | 'rwx';

/** One path rule after expansion: an absolute path without symbolic links. `origin` says which file and key it came from. */
export interface PathGrant {
  readonly path: string;
  readonly access: GrantClass;
  readonly origin: string;
}

/** A policy ready for the helper. `notes` lists rules that were skipped or mean less than they seem, and why. */
export interface SandboxPolicy {
  readonly bestEffort: boolean;
  readonly grants: readonly PathGrant[];
  readonly network: boolean;
  /** Names of environment variables that a tool may see; `LC_*` stands for every name that begins so. */
  readonly env: readonly string[];
  readonly ldd: boolean;
  readonly addExec: boolean;
  readonly notes: readonly string[];
}

/** What `{NAME}` in a path stands for. An unset or empty variable skips the rule. */
export type PathVariables = Readonly<Record<string, string | undefined>>;
