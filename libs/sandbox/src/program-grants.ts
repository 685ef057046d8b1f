import { realpathSync } from 'node:fs';
import { summed } from './grants.js';
import { writes } from './grant-class.js';
import { linksTo } from './links-to.js';
import { covers } from './path-check.js';
import type { ExplainedPolicy, PathGrant } from './policy.js';
import { programOf, type ProgramFile, type Surroundings } from './program-chain.js';
import { sharedLibraries } from './shared-libraries.js';
import { withhold } from './withhold.js';

const LOADER_CACHE = '/etc/ld.so.cache';

/**
 * What `advanced.add_exec` and `advanced.ldd` add for one command: the program with its interpreters, and the shared
 * libraries of these. A program that tools can write adds nothing but itself: it could name any file as its library,
 * or lead to one as a link.
 */
export function programGrants(policy: ExplainedPolicy, program: string, surroundings: Surroundings): readonly PathGrant[] {
  return grantsOf(policy, needsOf(policy, program, surroundings));
}

/** A policy with all that, and the links that lead there: a cell has no others. */
export function withProgram(policy: ExplainedPolicy, program: string, surroundings: Surroundings): ExplainedPolicy {
  if (!policy.addExec && !policy.ldd) return policy;
  const needs = needsOf(policy, program, surroundings);
  const grants = grantsOf(policy, needs);
  if (grants.length === 0) return policy;
  const links = linksTo([...needs.executed.map(({ path }) => path), ...needs.libraries]);
  return { ...policy, grants: [...policy.grants, ...grants], links: [...new Set([...policy.links, ...links])] };
}

/** Libraries are named as they were found. */
interface Needs {
  readonly executed: readonly ProgramFile[];
  readonly libraries: readonly string[];
}

function needsOf(policy: ExplainedPolicy, program: string, surroundings: Surroundings): Needs {
  if (!policy.addExec && !policy.ldd) return { executed: [], libraries: [] };
  const { files } = programOf(program, surroundings);
  const own = files.filter((file) => !isLedOut(policy, file));
  const firm = own.filter((file) => !isTheirs(policy, file));
  const trusted = own.length === firm.length ? firm : [];
  const executed = policy.addExec ? (trusted.length > 0 ? trusted : own.slice(0, 1)) : [];
  return { executed, libraries: policy.ldd ? trusted.flatMap(librariesOf) : [] };
}

function grantsOf(policy: ExplainedPolicy, { executed, libraries }: Needs): readonly PathGrant[] {
  const added = executed.map(({ real }): PathGrant => ({ path: real, access: 'rox', origin: policy.origins.addExec }));
  const linked = libraries.map((path): PathGrant => ({ path: realpathSync(path), access: 'rox', origin: policy.origins.ldd }));
  const cache: readonly PathGrant[] = linked.length > 0 ? [{ path: LOADER_CACHE, access: 'ro', origin: policy.origins.ldd }] : [];
  return withhold(summed([...added, ...linked, ...cache]), policy.closed).grants;
}

function librariesOf({ real, kind }: ProgramFile): readonly string[] {
  return kind === 'elf' ? sharedLibraries(real).files : [];
}

function isTheirs(policy: ExplainedPolicy, { path, real }: ProgramFile): boolean {
  return policy.grants.some((grant) => writes(grant.access) && (covers(grant.path, path) || covers(grant.path, real)));
}

function isLedOut(policy: ExplainedPolicy, { path, real }: ProgramFile): boolean {
  return policy.grants.some((grant) => writes(grant.access) && covers(grant.path, path) && !covers(grant.path, real));
}
