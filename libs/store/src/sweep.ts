import { rmSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, type Log, messageOf } from '#config';
import { AGENT_ENDS, KILLED, KILLED_SESSION, OUTPUTS, SESSION } from './file-place.js';
import type { Retention } from './retention.js';

/** A file that was being written when its writer died. */
const LEFTOVER = /\.tmp$/;
const LEFTOVER_MS = 60 * 60 * 1000;
const REFERENCE = /"blob":"([0-9a-f]{64})"/g;

/**
 * Removes what was killed long ago, then the blobs that nobody speaks of any more. What was set aside stays. Never
 * rejects: what cannot be removed is logged, and tried again the next time.
 */
export async function sweep(data: string, { killedMs, blobsMs }: Retention, log: Log): Promise<void> {
  try {
    const sessions = join(data, 'sessions');
    await sweepAgents(sessions, await olderThan(join(sessions, KILLED), killedMs));
    for (const name of await olderThan(sessions, killedMs, (file) => file.endsWith(KILLED_SESSION))) await rm(join(sessions, name));
    for (const name of await olderThan(sessions, LEFTOVER_MS, (file) => LEFTOVER.test(file))) await rm(join(sessions, name));
    await sweepBlobs(data, sessions, blobsMs);
  } catch (error) {
    log.warn(`retention: ${messageOf(error)}`);
  }
}

/** An agent that a session still speaks of is not one that was killed, whatever else says so. */
async function sweepAgents(sessions: string, killed: readonly string[]): Promise<void> {
  if (killed.length === 0) return;
  const names = (await namesIn(sessions)).filter((name) => name.endsWith(SESSION));
  const live = await Promise.all(names.map((name) => readFile(join(sessions, name), 'utf8')));
  for (const id of killed)
    await removeAgent(
      sessions,
      id,
      live.some((text) => text.includes(JSON.stringify(id))),
    );
}

async function removeAgent(sessions: string, id: string, isLive: boolean): Promise<void> {
  for (const end of isLive ? [] : [...AGENT_ENDS, OUTPUTS]) await rm(join(sessions, id + end), { force: true, recursive: true });
  await rm(join(sessions, KILLED, id));
}

async function sweepBlobs(data: string, sessions: string, blobsMs: number): Promise<void> {
  const blobs = join(data, 'blobs');
  const old: string[] = [];
  for (const folder of await namesIn(blobs)) {
    for (const name of await olderThan(join(blobs, folder), blobsMs)) old.push(join(blobs, folder, name));
  }
  if (old.length === 0) return;
  const used = await references(sessions);
  for (const path of old) if (!used.has(path.slice(-64))) removeIfOlder(path, blobsMs);
}

/** It may have been kept again since it was looked at; nothing comes between the two steps here. */
function removeIfOlder(path: string, ageMs: number): void {
  if (Date.now() - statSync(path).mtimeMs > ageMs) rmSync(path);
}

/**
 * The names of all blobs that a file of a session speaks of. What leaves a journal is in the snapshot by then, which may have just come
 * to be: so journals are read first.
 */
async function references(sessions: string): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  const read = async (name: string): Promise<void> => {
    for (const [, hash = ''] of ((await textOf(join(sessions, name))) ?? '').matchAll(REFERENCE)) used.add(hash);
  };
  const isJournal = (name: string): boolean => name.endsWith('.jsonl');
  for (const name of (await namesIn(sessions)).filter(isJournal)) await read(name);
  // What is being written is nobody's yet.
  const others = (name: string): boolean => name.includes('.json') && !isJournal(name) && !LEFTOVER.test(name);
  for (const name of (await namesIn(sessions)).filter(others)) await read(name);
  return used;
}

/** Undefined for a file that is gone. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function olderThan(directory: string, ageMs: number, isMeant: (name: string) => boolean = () => true): Promise<readonly string[]> {
  const old: string[] = [];
  for (const name of (await namesIn(directory)).filter(isMeant)) {
    const { mtimeMs } = await stat(join(directory, name));
    if (Date.now() - mtimeMs > ageMs) old.push(name);
  }
  return old;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
