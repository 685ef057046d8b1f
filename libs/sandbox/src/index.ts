// Signatures to build. Each concept goes to its own file; this file becomes hand-written re-exports.
import type { Paths } from '#config';

export type GrantClass = 'ro' | 'rox' | 'rw' | 'rwx';

/** One path rule after expansion. `origin` says which file and key it came from. */
export interface PathGrant {
  readonly path: string;
  readonly access: GrantClass;
  readonly origin: string;
}

/** A policy ready for the helper. `notes` lists rules that were skipped and why. */
export interface SandboxPolicy {
  readonly bestEffort: boolean;
  readonly grants: readonly PathGrant[];
  readonly network: boolean;
  /** Names of environment variables that a tool may see. */
  readonly env: readonly string[];
  readonly ldd: boolean;
  readonly addExec: boolean;
  readonly notes: readonly string[];
}

/** What `{NAME}` in a path stands for. An unset or empty variable skips the rule. */
export type PathVariables = Readonly<Record<string, string | undefined>>;

/** Reads sandbox.yaml (the user's, else the packaged one). Throws SandboxConfigError naming file and key. */
export declare function loadPolicy(paths: Paths, variables: PathVariables): SandboxPolicy;
/** The same from text, for tests and `--policy`. */
export declare function parsePolicy(text: string, origin: string, variables: PathVariables): SandboxPolicy;
export declare class SandboxConfigError extends Error {
  readonly posix: 'EINVAL';
}

/** What one run of the helper needs. `policy` undefined = run without any enforcement (--yolo). */
export interface RunOrder {
  readonly policy: SandboxPolicy | undefined;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the tool. */
  readonly env: Readonly<Record<string, string>>;
  /** TERM to KILL, milliseconds. */
  readonly graceMs: number;
}
/** The order as the helper reads it on descriptor 3. Throws on NUL bytes (a typed error). */
export declare function encodeRunOrder(order: RunOrder): Uint8Array;

/** Lines that the helper writes on descriptor 4. */
export type HelperReport =
  | { readonly type: 'started'; readonly pid: number; readonly sandbox: 'partial' | 'none'; readonly missing: readonly string[] }
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: number }
  | { readonly type: 'failed'; readonly step: string; readonly message: string };
export declare function parseHelperReport(line: string): HelperReport;

export interface ProbeReport {
  /** Landlock ABI, 0 = none. */
  readonly landlock: number;
  readonly seccomp: boolean;
  readonly userns: boolean;
}
/** Path of the built helper, else of the prebuilt one; undefined when there is neither. */
export declare function findHelper(): string | undefined;
export declare function probe(helper: string, signal: AbortSignal): Promise<ProbeReport>;
