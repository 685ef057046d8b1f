import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const POLL_MS = 200;

/** Runs `work` alone: another set-up of this checkout is waited for, and the lock of a dead one is taken over. */
export function withLock(lock, work, say) {
  takeLock(lock, say);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock, say) {
  for (let announced = false; !tryLock(lock); announced = true) {
    const owner = ownerOf(lock);
    if (owner && !isAlive(owner)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!announced) say(`waiting for another set-up (process ${owner ? owner.pid : 'unknown'})`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

/** A link appears with its content, so that nobody reads a lock without an owner. */
function tryLock(lock) {
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, `${process.pid} ${startTime(process.pid)}`);
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function ownerOf(lock) {
  const text = readOr(lock, undefined);
  if (text === undefined) return undefined;
  const [pid, started] = text.split(' ');
  return { pid: Number(pid), started };
}

/** The start time tells a process from a later one with the same number. */
function isAlive({ pid, started }) {
  return startTime(pid) === started;
}

function startTime(pid) {
  const stat = readOr(`/proc/${pid}/stat`, '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] || 'gone';
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return otherwise;
    throw error;
  }
}
