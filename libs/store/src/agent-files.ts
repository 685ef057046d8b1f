import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf, type Log, messageOf } from '#config';
import { AppendFile } from './append-file.js';
import type { BlobStore } from './blob-store.js';
import { type FileBase, OUTPUTS } from './file-place.js';
import { StoreError } from './errors.js';
import type { JsonObject } from './parse-object.js';
import { KeptBytes } from './kept-bytes.js';
import type { OpenFiles } from './open-files.js';
import { OwedBytes } from './owed-bytes.js';
import { replaceFile } from './private-file.js';
import { ProcessOutputs } from './process-outputs.js';
import { ReplacedBytes } from './replaced-bytes.js';
import { continueJournal } from './journal-continuation.js';
import { journalHead, journalLine, readJournal } from './read-journal.js';
import { setAside } from './set-aside.js';
import type { Slots } from './slots.js';
import type { SnapshotDisk } from './snapshot-disk.js';
import type { WorkMarks } from './work-marks.js';
import { placeOf, SnapshotFile, type SnapshotPlace } from './snapshot-file.js';

/** So long a journal may always be before a new snapshot is written. */
const SHORT_JOURNAL = 1024 * 1024;

/** What the files of all agents of a store share. */
export interface AgentFilesTools {
  readonly files: OpenFiles;
  /** For snapshots that are written beside other work. */
  readonly slots: Slots;
  readonly disk: SnapshotDisk;
  readonly blobs: BlobStore;
  readonly marks: WorkMarks;
  readonly log: Log;
}

/** What was kept of an agent. */
export interface KeptAgent {
  readonly snapshot: JsonObject | undefined;
  /** What came after the snapshot, oldest first. */
  readonly records: readonly JsonObject[];
  /** Something had to be set aside: what is left should be kept anew, soon. */
  readonly isDamaged: boolean;
}

/**
 * What is kept of one agent: a snapshot, a journal of all that came after it, two transcripts. Nothing is open and
 * nothing in memory while it is not used. `load` comes before the first `append` to files that are there. Methods
 * throw StoreError where the disk refuses; then nothing has changed.
 */
export class AgentFiles {
  private madeRaw: KeptBytes | undefined;
  private madePlain: KeptBytes | undefined;
  private madeJournal: AppendFile | undefined;
  private madeOutputs: ProcessOutputs | undefined;
  private madeSnapshot: SnapshotFile | undefined;
  private madeOwed: OwedBytes | undefined;
  /** Of the journal. */
  private generation = 0;
  /** So many bytes of the journal are in the snapshot too. */
  private covered = 0;
  private isRenewing = false;

  /** `base`: directory and id, to which each file adds its end. */
  constructor(
    private readonly base: FileBase,
    private readonly tools: AgentFilesTools,
  ) {}

  /** The bytes of chat.raw. */
  get raw(): KeptBytes {
    return (this.madeRaw ??= new KeptBytes({ base: this.base, end: '.chat' }, this.tools.files, this.tools.log));
  }

  /** The bytes of chat. */
  get plain(): KeptBytes {
    return (this.madePlain ??= new KeptBytes({ base: this.base, end: '.plain' }, this.tools.files, this.tools.log));
  }

  /** What the agent was fed last. */
  get feed(): ReplacedBytes {
    return new ReplacedBytes({ base: this.base, end: '.feed' });
  }

  /** What background processes have put out. */
  get outputs(): ProcessOutputs {
    return (this.madeOutputs ??= new ProcessOutputs(`${this.base.directory}/${this.base.id}${OUTPUTS}`, this.tools.disk));
  }

  private get journal(): AppendFile {
    return (this.madeJournal ??= new AppendFile({ base: this.base, end: '.jsonl' }, this.tools.files));
  }

  private get snapshot(): SnapshotFile {
    return (this.madeSnapshot ??= new SnapshotFile(this.base, this.tools.disk));
  }

  /** What the snapshot does not have has outgrown it. */
  get isLong(): boolean {
    return this.journal.length - this.covered > Math.max(SHORT_JOURNAL, this.snapshot.length);
  }

  /** Lines of records that go to the journal with the next append. They are encoded once, however often the disk refuses them. */
  private get owed(): OwedBytes {
    return (this.madeOwed ??= new OwedBytes());
  }

  /** There are records that no file has. */
  get owes(): boolean {
    return this.madeOwed !== undefined && this.madeOwed.length > 0;
  }

  /** Nothing was ever written, as far as is known before `load`. */
  get isNew(): boolean {
    return this.journal.length === 0 && this.generation === 0;
  }

  /** There are records that the snapshot does not have. */
  get hasRecords(): boolean {
    return this.journal.length > Math.max(this.covered, journalHead(this.generation).length);
  }

  get hasSnapshot(): boolean {
    return this.snapshot.length > 0;
  }

  /** The records, before them those that were deferred, and before these `first` are in the file when this returns: all or none. */
  append(records: readonly object[], first: readonly object[] = []): void {
    const head = this.journal.length === 0 ? journalHead(this.generation) : '';
    const before = head + first.map(journalLine).join('');
    const lines = records.map(journalLine).join('');
    if (this.owes) this.appendBehindOwed(before, lines);
    else this.journal.append(Buffer.from(before + lines, 'utf8'));
  }

  /** Goes to the file together with what is appended next, or is in the snapshot that is next replaced. */
  defer(record: object): void {
    this.owed.push(Buffer.from(journalLine(record), 'utf8'));
  }

  /** All that was kept. What cannot be read is set aside; nothing else on the disk changes. */
  load(): KeptAgent {
    try {
      const { snapshot, isLost, isNewer } = this.snapshot.read(this.tools.log);
      if (isNewer) setAside(this.journal.path, 'a newer Ollie wrote its snapshot', this.tools.log);
      const { records, isBad } = this.loadJournal(placeOf(snapshot), isLost);
      return { snapshot, records, isDamaged: isLost || isBad };
    } catch (error) {
      throw new StoreError(this.snapshot.path, error);
    }
  }

  /** The snapshot is in place when this returns, and the journal begins anew. */
  replaceSnapshot(state: object): void {
    const { generation } = this;
    const after = this.journal.length;
    try {
      this.tools.blobs.syncNow();
      // The journal has to continue this one and the one before it, until it is sure which of them is there.
      this.snapshot.replace(state, { generation, after });
      this.covered = after;
      this.madeOwed?.clear();
      if (!this.snapshot.isUnsettled) this.beginJournal(generation + 1);
    } catch (error) {
      throw storeError(this.snapshot.path, error);
    }
  }

  /**
   * The same beside other work, when it is this agent's turn: `state` is asked for then, and has to say what the
   * journal says at that moment; undefined puts it off. What is appended until the snapshot is in place stays in the
   * journal. Does nothing while one is being written. Rejects with StoreError.
   */
  async renewSnapshot(state: () => object | undefined): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    try {
      await this.tools.slots.run(() => this.replaceSlowly(state()));
    } catch (error) {
      throw storeError(this.snapshot.path, error);
    } finally {
      this.isRenewing = false;
    }
  }

  /** Says whether the agent has work left, so that it is found after a sudden death. */
  mark(hasWork: boolean): void {
    this.tools.marks.set(this.base.id, hasWork);
  }

  /** What was written outlives a loss of power once this resolves. Never rejects. */
  async sync(): Promise<void> {
    this.plain.flush();
    await this.syncBlobs();
    await Promise.all([this.journal.path, this.raw.path, this.plain.path].map((path) => this.syncFile(path)));
  }

  /** Lets go of memory and descriptors. */
  rest(): void {
    this.raw.rest();
    this.plain.rest();
    for (const path of [this.journal.path, this.raw.path, this.plain.path]) this.tools.files.close(path);
  }

  private async replaceSlowly(state: object | undefined): Promise<void> {
    if (state === undefined) return;
    const { generation } = this;
    const after = this.journal.length;
    await this.snapshot.replaceSlowly(state, { generation, after }, () => {
      this.covered = after;
      if (this.journal.length === after) this.beginJournal(generation + 1);
      else if (after > SHORT_JOURNAL) this.cutJournal(generation + 1, after);
    });
  }

  /** In one write, without a copy of what is owed where nothing has to come before it. */
  private appendBehindOwed(before: string, lines: string): void {
    const { owed } = this;
    const { length } = owed;
    owed.push(Buffer.from(lines, 'utf8'));
    const bytes = owed.slice(0, owed.length);
    try {
      this.journal.append(before === '' ? bytes : Buffer.concat([Buffer.from(before, 'utf8'), bytes]));
    } catch (error) {
      owed.shorten(length);
      throw error;
    }
    owed.clear();
  }

  /** A death on the way leaves an empty journal, which is right too: all that it said is in the snapshot. */
  private beginJournal(generation: number): void {
    this.nextJournal(generation);
    this.journal.shorten(0);
    this.journal.append(Buffer.from(journalHead(generation), 'utf8'));
  }

  /** Begins the journal anew with what came after `covered` bytes of it. */
  private cutJournal(generation: number, covered: number): void {
    const rest = this.journal.slice(covered, this.journal.length - covered);
    const bytes = Buffer.concat([Buffer.from(journalHead(generation), 'utf8'), rest]);
    replaceFile(this.journal.path, bytes, true);
    this.journal.renewed(bytes.length);
    this.nextJournal(generation);
    this.tools.disk.syncDirectoryNow(this.base.directory);
  }

  private nextJournal(generation: number): void {
    this.generation = generation;
    this.covered = 0;
  }

  private loadJournal(place: SnapshotPlace, isLost: boolean): { readonly records: readonly JsonObject[]; readonly isBad: boolean } {
    const { records, why, generation, length, covered } = continueJournal(readJournal(this.journalBytes(), place), place, isLost);
    this.generation = generation;
    this.covered = covered;
    if (why === undefined) this.journal.shorten(length);
    else {
      setAside(this.journal.path, why, this.tools.log);
      this.journal.renewed(0);
    }
    return { records, isBad: why !== undefined };
  }

  private journalBytes(): Buffer {
    const isThere = statSync(this.journal.path, { throwIfNoEntry: false }) !== undefined;
    return isThere ? readFileSync(this.journal.path) : Buffer.alloc(0);
  }

  /** Before the journal, which speaks of them. */
  private async syncBlobs(): Promise<void> {
    try {
      await this.tools.blobs.sync();
    } catch (error) {
      this.tools.log.warn(messageOf(error));
    }
  }

  private async syncFile(path: string): Promise<void> {
    try {
      const file = await open(path, 'r');
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') this.tools.log.warn(`${path}: ${messageOf(error)}`);
    }
  }
}

function storeError(path: string, error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError(path, error);
}
