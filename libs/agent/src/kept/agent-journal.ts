import { type JsonObject, PartnerError } from '#model';
import { type Log, messageOf } from '#config';
import type { AgentFiles, BlobStore, KeptAgent } from '#store';
import { partnerError } from './partner-error.js';

/** Where one agent is kept. */
export interface AgentStore {
  readonly files: AgentFiles;
  readonly blobs: BlobStore;
  /** The agent was there before this process. */
  readonly isRestored: boolean;
  /** Sees to it that what was written outlives a loss of power. Does not wait for that. */
  readonly sync: (files: AgentFiles) => void;
  readonly log: Log;
}

/**
 * The journal of one agent, which is its save. What `demand` was told is on the disk when it returns, or it throws
 * PartnerError and nothing of it is; what was noted or deferred goes there at the latest with what comes next, in the
 * same write.
 */
export class AgentJournal {
  private isMarked = false;
  private written = false;

  /** `made` is the first record of a new journal. Without a store nothing is kept. */
  constructor(
    private readonly store: AgentStore | undefined,
    private readonly made: () => JsonObject,
  ) {}

  /** Something was written since the last snapshot that this process made, or since it began. */
  get hasNews(): boolean {
    return this.written || this.owes;
  }

  /** There are records that no snapshot has. */
  get isBehind(): boolean {
    return this.owes || (this.store?.files.hasRecords ?? false);
  }

  private get owes(): boolean {
    return this.store?.files.owes ?? false;
  }

  get isKept(): boolean {
    return this.store !== undefined;
  }

  get blobs(): BlobStore | undefined {
    return this.store?.blobs;
  }

  /** Undefined without a store, and for an agent that has just been made. Throws PartnerError. */
  load(): KeptAgent | undefined {
    if (!this.store?.isRestored) return undefined;
    try {
      return this.store.files.load();
    } catch (error) {
      throw partnerError(error);
    }
  }

  /** `isWork`: there is something left to do from now on. */
  demand(record: JsonObject, isWork = false): void {
    if (!this.store) return;
    const { files } = this.store;
    try {
      if (isWork && !this.isMarked) files.mark(true);
      this.isMarked ||= isWork;
      files.append([record], files.isNew ? [{ t: 'made', ...this.made() }] : []);
    } catch (error) {
      throw partnerError(error);
    }
    this.written = true;
  }

  /** For what has happened already: a disk that refuses it is tried again with the next record. */
  note(record: JsonObject): void {
    try {
      this.demand(record);
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      this.defer(record);
      this.report(error);
    }
  }

  /** Goes to the disk together with the next record. */
  defer(record: JsonObject): void {
    this.store?.files.defer(record);
  }

  /** Nothing waits and nothing runs: after a sudden death nobody need look. */
  rest(): void {
    if (!this.store || !this.isMarked || this.owes) return;
    try {
      this.store.files.mark(false);
      this.isMarked = false;
    } catch (error) {
      this.report(error);
    }
  }

  /** The agent was marked by an earlier process. */
  wasMarked(): void {
    this.isMarked = true;
  }

  /** The journal has outgrown its snapshot, or there is none. */
  private get isDue(): boolean {
    return this.store !== undefined && (!this.store.files.hasSnapshot || this.store.files.isLong);
  }

  /** Writes what `state` gives and begins the journal anew. Throws PartnerError. */
  snapshot(state: () => JsonObject): void {
    if (!this.store) return;
    try {
      this.store.files.replaceSnapshot(state());
    } catch (error) {
      throw partnerError(error);
    }
    this.written = false;
  }

  /** The same where it may be put off. */
  trySnapshot(state: () => JsonObject): void {
    try {
      this.snapshot(state);
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      this.report(error);
    }
  }

  /** Writes one where one is due, beside other work. `state` is asked for later, between two things that happen. */
  renewSnapshot(state: () => JsonObject): void {
    if (!this.store || !this.isDue) return;
    // What is owed has happened, but is to be said by the journal only: the snapshot would say it too.
    const settled = () => (this.owes ? undefined : state());
    this.store.files.renewSnapshot(settled).catch((error: unknown) => this.report(error));
  }

  /** A turn has ended: what was written is to outlive a loss of power, soon. */
  settle(): void {
    if (!this.store) return;
    this.store.sync(this.store.files);
  }

  private report(error: unknown): void {
    this.store?.log.error(`journal: ${messageOf(error)}`);
  }
}
