import type { AgentStore } from '#agent';
import type { Log } from '#config';
import { PartnerError } from '#model';
import { type AgentFiles, type SessionRecord, StoreError, type SessionStore } from '#store';

/** What was written while a file is being synced waits for that: so it is done seldom. */
const SYNC_MS = 500;

/** The sessions on disk, as this server uses them; without a store nothing is kept and nothing comes back. */
export class KeptSessions {
  private readonly dirty = new Set<AgentFiles>();
  private timer: NodeJS.Timeout | undefined;
  private syncing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: SessionStore | undefined,
    private readonly log: Log,
  ) {}

  /** What an earlier process has left, by id. */
  sessions(): readonly SessionRecord[] {
    return this.store?.sessions() ?? [];
  }

  /** The ids of agents that had work left. */
  working(): ReadonlySet<string> {
    return this.store?.working() ?? new Set();
  }

  /** The path of a session's file; empty without a store. */
  path(sessionId: string): string {
    return this.store?.path(sessionId) ?? '';
  }

  /** Throws PartnerError, with what was kept before still there. */
  save(record: () => SessionRecord): void {
    this.attempt((store) => store.save(record()));
  }

  /** The session does not come back. Throws PartnerError. */
  kill(sessionId: string): void {
    this.attempt((store) => store.kill(sessionId));
  }

  /** The agent does not come back. Throws PartnerError. */
  killAgent(agentId: string): void {
    this.attempt((store) => store.killAgent(agentId));
  }

  agent(agentId: string, isRestored: boolean): AgentStore | undefined {
    const { store, log } = this;
    if (!store) return undefined;
    return { files: store.agent(agentId), blobs: store.blobs, isRestored, sync: (files) => this.sync(files), log };
  }

  forgetWork(agentId: string): void {
    this.store?.forgetWork(agentId);
  }

  /** All that was written outlives a loss of power when this resolves. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.syncing;
    await this.store?.idle();
    await this.syncDirty();
    this.store?.close();
  }

  private sync(files: AgentFiles): void {
    this.dirty.add(files);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.syncing = this.syncing.then(() => this.syncDirty());
    }, SYNC_MS).unref();
  }

  private async syncDirty(): Promise<void> {
    const files = [...this.dirty];
    this.dirty.clear();
    await Promise.all(files.map((one) => one.sync()));
    for (const one of files) if (!this.dirty.has(one)) one.rest();
  }

  private attempt(work: (store: SessionStore) => void): void {
    try {
      if (this.store) work(this.store);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw new PartnerError(error.message.replace(/^i\/o error: /, ''), { cause: error });
    }
  }
}
