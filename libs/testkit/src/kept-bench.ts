import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentStore } from '#agent';
import { silentLog } from '#config';
import { SessionStore, storeDisk } from '#store';
import { AgentBench, type BenchOptions } from './agent-bench.js';

/** An agent `a` that is kept, its sudden death (it is just left), and the one that comes after it. */
export class KeptBench {
  private readonly stores: SessionStore[] = [];

  constructor(readonly data = mkdtempSync(join(tmpdir(), 'ollie-kept-'))) {}

  fresh(options: BenchOptions = {}): AgentBench {
    return new AgentBench({ ...options, store: this.store(false) });
  }

  /** The agent as a later process finds it. */
  again(options: BenchOptions = {}): AgentBench {
    return new AgentBench({ ...options, store: this.store(true) });
  }

  store(isRestored: boolean, disk = storeDisk): AgentStore {
    const kept = new SessionStore(this.data, silentLog, disk);
    this.stores.push(kept);
    return { files: kept.agent('a'), blobs: kept.blobs, isRestored, sync: () => undefined, log: silentLog };
  }

  get journal(): string {
    return readFileSync(join(this.data, 'sessions/a.jsonl'), 'utf8');
  }

  get isWorking(): boolean {
    return new SessionStore(this.data, silentLog).working().has('a');
  }

  /** Resolves when no snapshot is being written. */
  async written(): Promise<void> {
    await Promise.all(this.stores.map((one) => one.idle()));
  }

  async remove(): Promise<void> {
    await this.written();
    rmSync(this.data, { recursive: true });
  }
}
