import { resolve } from 'node:path';
import { executes, writes } from './grant-class.js';
import { placeAt, realPathOf } from './path-check.js';
import type { ExplainedPolicy, GrantClass } from './policy.js';
import { programOf, type ProgramFile, type Surroundings } from './program-chain.js';
import { programGrants } from './program-grants.js';
import { opensSocket, rightsAt } from './rights.js';
import { sharedLibraries } from './shared-libraries.js';
import { closureOf } from './withhold.js';

/** One thing that a command needs, or names. `denied`: what would be refused, with the key that would allow it; undefined = nothing. */
export interface Finding {
  readonly what: string;
  readonly path: string;
  readonly access: GrantClass | undefined;
  readonly denied: string | undefined;
}

/**
 * What a policy says about a command before it runs: its program, the interpreters and libraries behind it, and the paths
 * among its arguments. What the program does beyond that, nobody can tell from here. A path of which it is not known whether
 * it will be written counts as denied only when it cannot even be read.
 */
export function explainCommand(policy: ExplainedPolicy, argv: readonly string[], surroundings: Surroundings): readonly Finding[] {
  const [name = '', ...words] = argv;
  const held = { ...policy, grants: [...policy.grants, ...programGrants(policy, name, surroundings)] };
  const { files, missing } = programOf(name, surroundings);
  const lost = missing === undefined ? [] : [{ what: 'program', path: missing, access: undefined, denied: 'not found' }];
  const paths = words.flatMap((word) => pathsIn(word, surroundings.cwd));
  return [
    ...[surroundings.cwd].map((path) => findingOn(held, { what: 'working directory', path, wanted: 'ro' })),
    ...files.map(({ path, real }) => findingOn(held, { what: 'program', path: real, wanted: 'rox', shown: path })),
    ...lost,
    ...distinct(files.flatMap((file) => libraryFindings(held, file))),
    ...paths.map((path) => findingOn(held, { what: 'argument', path, wanted: 'ro' })),
  ];
}

function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.path, finding])).values()];
}

interface Wish {
  readonly what: string;
  readonly path: string;
  readonly wanted: 'ro' | 'rox';
  readonly shown?: string;
}

function findingOn(policy: ExplainedPolicy, { what, path, wanted, shown = path }: Wish): Finding {
  const real = realPathOf(path);
  const access = rightsAt(policy.grants, real);
  return { what, path: shown === real ? shown : `${shown} -> ${real}`, access, denied: denialOf(policy, real, { access, wanted }) };
}

function denialOf(
  policy: ExplainedPolicy,
  path: string,
  { access, wanted }: { readonly access: GrantClass | undefined; readonly wanted: 'ro' | 'rox' },
): string | undefined {
  if (placeAt(path)?.info.isSocket() === true && !opensSocket(policy.grants, path)) return 'connecting: network.unix';
  if (access !== undefined && (wanted === 'ro' || executes(access))) return undefined;
  const closure = closureOf(path, policy.closed);
  if (closure !== undefined && closure.most === undefined) return `closed to tools (${closure.why}), whatever the lists say`;
  if (wanted === 'ro') return 'reading and writing: filesystem.ro lets it be read, filesystem.rw also written';
  return access !== undefined && writes(access) ? 'executing: filesystem.rwx' : 'executing: filesystem.rox';
}

/** The loader is executed, libraries are read. */
function libraryFindings(policy: ExplainedPolicy, { real, kind }: ProgramFile): readonly Finding[] {
  if (kind !== 'elf') return [];
  const { files, missing } = sharedLibraries(real);
  const wanted = (path: string): 'ro' | 'rox' => (/\/ld[-.][^/]*$/.test(path) ? 'rox' : 'ro');
  return [
    ...files.map((path) => findingOn(policy, { what: 'library', path, wanted: wanted(path) })),
    ...missing.map((path) => ({ what: 'library', path, access: undefined, denied: 'not found' })),
  ];
}

/** `PATH`, `--option=PATH`, `name=PATH`: absolute, or relative and there. In a text of several words (a script): what is absolute. */
function pathsIn(word: string, cwd: string): readonly string[] {
  if (/\s/.test(word)) return [...word.matchAll(/(?<![\w.}/-])\/[\w@%+=:,./-]+/g)].map(([path]) => resolve(path));
  const text = word.replace(/^[-\w]*=/, '');
  if (text === '' || text.startsWith('-')) return [];
  const path = resolve(cwd, text);
  return text.startsWith('/') || placeAt(path) !== undefined ? [path] : [];
}
