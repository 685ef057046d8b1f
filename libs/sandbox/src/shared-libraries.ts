import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#config';
import { elfNeeds, type ElfNeeds } from './elf.js';
import { loaderCache } from './loader-cache.js';

/** Where loaders look when nothing else says so. */
const DEFAULT_DIRECTORIES = ['/lib64', '/usr/lib64', '/lib', '/usr/lib'];
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_KNOWN = 1024;

/** `files`: the loader and every library that a program is linked with, and those of these, where they were found. */
export interface SharedLibraries {
  readonly files: readonly string[];
  readonly missing: readonly string[];
}

/**
 * What `ldd` would say, read from the files themselves: `ldd` runs the loader on the program. What a program opens while it
 * runs (plug-ins, name services, character sets) cannot be seen.
 */
export function sharedLibraries(program: string): SharedLibraries {
  const found = new Set<string>();
  const missing = new Set<string>();
  const cache = loaderCache();
  const pending = [program];
  for (let file = pending.shift(); file !== undefined; file = pending.shift()) {
    const needs = readNeeds(file);
    const loader = needs?.interpreter === undefined ? [] : [needs.interpreter];
    for (const name of [...loader, ...(needs?.libraries ?? [])]) {
      const library =
        needs === undefined ? undefined : placesOf(name, { file, needs, cache }).find((place) => readNeeds(place) !== undefined);
      if (library === undefined) missing.add(name);
      else if (!found.has(library)) pending.push(library);
      if (library !== undefined) found.add(library);
    }
  }
  return { files: [...found], missing: [...missing] };
}

interface Search {
  readonly file: string;
  readonly needs: ElfNeeds;
  readonly cache: ReadonlyMap<string, readonly string[]>;
}

function placesOf(name: string, { file, needs, cache }: Search): readonly string[] {
  if (name.startsWith('/')) return [name];
  if (name.includes('/')) return [];
  const own = needs.searched.map((path) => path.replace(/\$ORIGIN|\$\{ORIGIN\}/g, dirname(file))).filter((path) => path.startsWith('/'));
  const inDirectories = (directories: readonly string[]): readonly string[] => directories.map((directory) => join(directory, name));
  return [...inDirectories(own), ...(cache.get(name) ?? []), ...inDirectories(DEFAULT_DIRECTORIES)];
}

/** By device, number, size and time of a file: programs are large, and the same ones run again and again. */
const known = new Map<string, ElfNeeds | undefined>();

function needsOf(file: number): ElfNeeds | undefined {
  const info = fstatSync(file);
  if (!info.isFile() || info.size > MAX_BYTES) return undefined;
  const key = `${info.dev}:${info.ino}:${info.size}:${info.mtimeMs}:${info.ctimeMs}`;
  if (!known.has(key)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, elfNeeds(readFileSync(file)));
  }
  return known.get(key);
}

function readNeeds(path: string): ElfNeeds | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return needsOf(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
