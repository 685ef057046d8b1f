/** x: may be executed; w: may be written, created and removed. Reading is in every class. */
export type GrantClass = 'ro' | 'rox' | 'rw' | 'rwx';

/**
 * One path rule after expansion: an absolute path without symbolic links. `origin` says which file, line and key it came from.
 * `socket`: tools may connect to what is there, a socket of another program.
 */
export interface PathGrant {
  readonly path: string;
  readonly access: GrantClass;
  readonly origin: string;
  readonly socket?: true;
}

/** A policy ready for the helper. `notes` lists rules that were skipped or mean less than they seem, and why. */
export interface SandboxPolicy {
  readonly bestEffort: boolean;
  readonly grants: readonly PathGrant[];
  readonly network: boolean;
  /** Names of environment variables that a tool may see; `LC_*` stands for every name that begins so. */
  readonly env: readonly string[];
  /** Also the shared libraries of the program that is run. */
  readonly ldd: boolean;
  /** Also the program that is run. */
  readonly addExec: boolean;
  /** In private namespaces, where this host has them. */
  readonly cell: boolean;
  /** Symbolic links on the way to granted paths as they are written; absolute. A cell has to hold them too. */
  readonly links: readonly string[];
  readonly notes: readonly string[];
}

/**
 * A path that rules may open only up to a class, or not at all (`most` undefined), with everything below it. Where
 * several hold, the deepest counts, of equal ones the last. `why` completes "PATH is ...". `holdsTools`: who writes there
 * decides what tools may do.
 */
export interface ClosedPlace {
  readonly path: string;
  readonly most: GrantClass | undefined;
  readonly why: string;
  readonly holdsTools?: boolean;
}

/** Which file had a say. `effect`: `whole` is the base, `narrows` only takes away, `trusted` adds as well. */
export interface PolicySource {
  readonly file: string;
  readonly role: 'base' | 'named' | 'project';
  readonly effect: 'whole' | 'narrows' | 'trusted';
}

/** A policy that can say where it comes from. */
export interface ExplainedPolicy extends SandboxPolicy {
  readonly sources: readonly PolicySource[];
  /** One entry for each switch and each variable name: where it was decided. */
  readonly origins: Readonly<Record<'bestEffort' | 'network' | 'ldd' | 'addExec' | 'cell', string>>;
  readonly envOrigins: Readonly<Record<string, string>>;
  /** Places that no rule opens, or opens only so far. */
  readonly closed: readonly ClosedPlace[];
}

/** What `{NAME}` in a path stands for. An unset or empty variable skips the rule. */
export type PathVariables = Readonly<Record<string, string | undefined>>;
