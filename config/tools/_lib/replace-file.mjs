import { randomBytes } from 'node:crypto';
import {
  accessSync, chmodSync, chownSync, closeSync, constants, fsyncSync, ftruncateSync, lstatSync, mkdirSync, openSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { basename, dirname, join, resolve } from 'node:path';
import { ToolFailure } from './run-tool.mjs';

const MAX_LINKS = 40;

/**
 * Gives a file new bytes so that a reader sees the old ones or the new ones, never a part: a file beside it is
 * written, synced and renamed. Mode and owner stay, links stay links. Where renaming would break something (hard
 * links) or is not allowed (a directory without write permission) the file is written in place.
 * Returns true when the file did not exist before.
 */
export function replaceFile(path, bytes) {
  const target = followLinks(path);
  const before = factsOf(target);
  if (before === undefined) mkdirSync(dirname(target), { recursive: true });
  else refuseUnlessWritable(path, target, before);
  if (before !== undefined && before.nlink > 1) writeInPlace(target, bytes);
  else renameInto(target, bytes, before);
  return before === undefined;
}

/** The file at the end of a chain of links, whether it exists or not. */
function followLinks(path) {
  let target = path;
  for (let step = 0; step < MAX_LINKS; step += 1) {
    if (!linkFacts(target)?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new ToolFailure(`${path}: too many symbolic links`);
}

function linkFacts(path) {
  return lstatSync(path, { throwIfNoEntry: false });
}

function factsOf(path) {
  return statSync(path, { throwIfNoEntry: false });
}

function refuseUnlessWritable(path, target, facts) {
  if (facts.isDirectory()) throw new ToolFailure(`${path}: is a directory`);
  if (!facts.isFile()) throw new ToolFailure(`${path}: is not a regular file`);
  accessSync(target, constants.W_OK);
}

function renameInto(target, bytes, before) {
  const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    if (!writeNew(temporary, bytes, before)) return writeInPlace(target, bytes);
    if (before !== undefined) keepOwnerAndMode(temporary, before);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    // The name that the model gave is the one that it understands.
    error.path = target;
    throw error;
  }
}

/** False when the directory takes no new files but the old file is there to be written. */
function writeNew(temporary, bytes, before) {
  try {
    // What replaces a private file must not be readable by others for a moment either.
    writeSynced(temporary, bytes, { flags: 'wx', mode: before === undefined ? 0o666 : 0o600 });
    return true;
  } catch (error) {
    if (error.code === 'EACCES' && before !== undefined) return false;
    throw error;
  }
}

function writeInPlace(target, bytes) {
  writeSynced(target, bytes, { flags: 'r+' });
}

function writeSynced(path, bytes, { flags, mode }) {
  const descriptor = openSync(path, flags, mode);
  try {
    writeFileSync(descriptor, bytes);
    if (flags === 'r+') ftruncateSync(descriptor, bytes.length);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The owner first: changing it clears the set-user-id bits of the mode. */
function keepOwnerAndMode(path, { uid, gid, mode }) {
  const now = statSync(path);
  if (now.uid !== uid || now.gid !== gid) chownSync(path, uid, gid);
  chmodSync(path, mode & 0o7777);
}
