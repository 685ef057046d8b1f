import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreOwnedError } from './errors.js';
import { parseObject } from './parse-object.js';
import { makePrivateDirectory, readIfThere, replaceFile } from './private-file.js';
import { processStart } from './process-start.js';

const CLAIM = /^([0-9]+)\.([0-9]+)$/;
const OWNER = 'owner\n';
const POLL_MS = 5;
const STEP_BACK_MS = 25;

interface Claim {
  readonly pid: number;
  readonly isOwner: boolean;
}

/**
 * One server owns a data directory. Who wants it puts a claim of his own (a file named after the process and its start
 * time) into `claims/` and then looks at those of others. A live owner means no. Of live claimers the one with the lowest
 * process number goes on, the others step back and come again. A claim of a live process is removed by nobody but itself,
 * so of two claimers one always sees the other, and no two can win. `lock` says who won: pid, start, address.
 */
export class StoreLock {
  private constructor(
    private readonly data: string,
    private readonly claim: string,
  ) {}

  /** Throws StoreOwnedError when a live server has it. `address`: where clients find the new owner. */
  static async take(data: string, address: string): Promise<StoreLock> {
    const start = processStart(process.pid) ?? '0';
    const directory = join(data, 'claims');
    makePrivateDirectory(directory);
    const claim = join(directory, `${String(process.pid)}.${start}`);
    if (readIfThere(claim) !== undefined) throw new StoreOwnedError(data, 'this very process');
    await win(directory, claim, data);
    replaceFile(join(data, 'lock'), `${JSON.stringify({ pid: process.pid, start, address })}\n`, false);
    return new StoreLock(data, claim);
  }

  release(): void {
    rmSync(join(this.data, 'lock'), { force: true });
    rmSync(this.claim, { force: true });
  }
}

async function win(directory: string, claim: string, data: string): Promise<void> {
  for (;;) {
    replaceFile(claim, '', false);
    const others = liveClaims(directory, process.pid);
    const owner = others.find(({ isOwner }) => isOwner);
    if (owner || others.some(({ pid }) => pid < process.pid)) rmSync(claim);
    if (owner) throw new StoreOwnedError(data, describeOwner(data, owner.pid));
    if (others.length === 0) return replaceFile(claim, OWNER, false);
    await sleep(others.some(({ pid }) => pid < process.pid) ? STEP_BACK_MS : POLL_MS);
  }
}

/** Those of other processes; what dead ones left is removed. */
function liveClaims(directory: string, own: number): readonly Claim[] {
  const names = readdirSync(directory).map((name) => CLAIM.exec(name) ?? []);
  return names.flatMap(([name, pid = '', start]) => {
    if (name === undefined || Number(pid) === own) return [];
    const file = join(directory, name);
    if (processStart(Number(pid)) !== start) {
      rmSync(file, { force: true });
      return [];
    }
    const content = readIfThere(file);
    return content === undefined ? [] : [{ pid: Number(pid), isOwner: content === OWNER }];
  });
}

function describeOwner(data: string, pid: number): string {
  const { pid: named, address } = parseObject(readIfThere(join(data, 'lock')) ?? '') ?? {};
  const where = named === pid && typeof address === 'string' && address !== '' ? `, listening on ${address}` : '';
  return `olliesrv (pid ${String(pid)}${where})`;
}
