import { globMatches } from '../words/glob.js';
import { MARK } from '../words/unknown.js';

export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Named sets of paths, for one working directory and home. */
export class PathSets {
  private last: { readonly path: string; readonly reduced: Reduced } | undefined;
  private readonly sets: ReadonlyMap<string, readonly (readonly string[])[]>;

  constructor(patterns: ReadonlyMap<string, readonly string[]>, { cwd, home }: Place) {
    const fill = (pattern: string): string => pattern.replace('{CWD}', () => cwd).replace('{HOME}', () => home);
    this.sets = new Map([...patterns].map(([name, all]) => [name, all.map((pattern) => components(fill(pattern)))]));
  }

  /** Whether what happens to the path happens to a member: it is one, it is all that one holds, or (with `below`) it holds one. */
  meets(name: string, path: string, below: boolean): boolean {
    const { parts, whole } = this.reducedFor(path);
    return this.members(name).some((member) => sameOrAbove(parts, member, below || whole));
  }

  /** Whether the path is a member or lies in one, or may do so where it has wildcards. */
  mayHold(name: string, path: string): boolean {
    return this.members(name).some((member) => startsWith(components(path), member, partMatches));
  }

  /** The same, whatever its wildcards stand for. */
  holds(name: string, path: string): boolean {
    return this.members(name).some((member) => startsWith(components(path), member, isMember));
  }

  /** One fact is held against many sets. */
  private reducedFor(path: string): Reduced {
    if (this.last?.path !== path) this.last = { path, reduced: reduced(components(path)) };
    return this.last.reduced;
  }

  private members(name: string): readonly (readonly string[])[] {
    return this.sets.get(name) ?? [];
  }
}

interface Reduced {
  readonly parts: readonly string[];
  readonly whole: boolean;
}

function components(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

const WHOLESALE = new RegExp(`^(?:${MARK.tree}|\\.?(?:${MARK.one}|${MARK.set}(?:[!^]|[^\\]]*a-z)[^\\]]*\\])*${MARK.star}+)$`);

/** `dir/*` and everything below dir are dir. */
function reduced(parts: readonly string[]): Reduced {
  const last = parts.findLastIndex((part) => !WHOLESALE.test(part));
  return { parts: parts.slice(0, last + 1), whole: last + 1 < parts.length };
}

/** Whether a path made of everything below a place is meant. */
export function isTree(path: string): boolean {
  return path.includes(MARK.tree);
}

function sameOrAbove(parts: readonly string[], member: readonly string[], below: boolean): boolean {
  if (member[0] === '**') return endsWith(parts, member.slice(1));
  if (parts.length > member.length || (parts.length < member.length && !below)) return false;
  return parts.every((part, index) => partMatches(part, member[index] ?? ''));
}

function endsWith(parts: readonly string[], tail: readonly string[]): boolean {
  return parts.length >= tail.length && tail.every((part, index) => partMatches(parts[parts.length - tail.length + index] ?? '', part));
}

type PartTest = (part: string, member: string) => boolean;

function startsWith(parts: readonly string[], member: readonly string[], matches: PartTest): boolean {
  if (member[0] === '**') return parts.some((_, index) => startsWith(parts.slice(index), member.slice(1), matches));
  return parts.length >= member.length && member.every((part, index) => matches(parts[index] ?? '', part));
}

function isMember(part: string, member: string): boolean {
  return part === member || globMatches(member, part);
}

function partMatches(part: string, member: string): boolean {
  return isMember(part, member) || (WILD.test(part) && globMatches(part, member.replaceAll('*', 'x')));
}

const WILD = /[\ue000-\ue002]/;

/** Path sets filled in for a place. Those of the last one are kept: commands come from the same one mostly. */
export class PlacedPathSets {
  private last: { readonly place: Place; readonly sets: PathSets } | undefined;

  constructor(private readonly patterns: ReadonlyMap<string, readonly string[]>) {}

  at(place: Place): PathSets {
    const { last } = this;
    if (last?.place.cwd === place.cwd && last.place.home === place.home) return last.sets;
    const sets = new PathSets(this.patterns, place);
    this.last = { place, sets };
    return sets;
  }
}
