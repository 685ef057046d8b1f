import type { BypassRule, JsonObject, ParallelClass, ResultTier } from '#model';
import type { ArgumentPassing } from './tool-definition.js';

/** The keys of a metadata file with every default filled in, before the host is asked what it has. */
export interface ToolMetadata {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly tier: ResultTier;
  readonly parallel: ParallelClass;
  readonly bypass: BypassRule;
  /** Seconds. */
  readonly timeout: number;
  readonly background: boolean;
  /** A list, one string for `sh -c`, or nothing for the file beside the metadata. */
  readonly command: string | readonly string[] | undefined;
  readonly interpreter: string | undefined;
  readonly pass: ArgumentPassing;
  readonly env: readonly string[];
  readonly sandbox: string;
  readonly requires: readonly string[];
  /** `agent`: it finds the namespace, as its agent sees it, connected as its descriptor 3. */
  readonly door: 'agent' | undefined;
}

export const MAX_TIMEOUT_SECONDS = 3600;
