import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf, type Log, messageOf } from '#config';
import { AppendFile } from './append-file.js';
import { type FileBase, pathOf, WORKING } from './file-place.js';
import { StoreError } from './errors.js';
import { type JsonObject, parseObject } from './parse-object.js';
import { KeptBytes } from './kept-bytes.js';
import type { OpenFiles } from './open-files.js';
import { readIfThere, replaceFile } from './private-file.js';
import { journalHead, journalLine, readJournal, type ReadJournal } from './read-journal.js';
import { setAside } from './set-aside.js';

/** The newest form of a snapshot that can be read. */
const SNAPSHOT_VERSION = 1;

/** So long a journal may always be before a new snapshot is written. */
const SHORT_JOURNAL = 1024 * 1024;

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
  /** Of the snapshot; the journal continues it when it has the same. */
  private generation = 0;
  private snapshotBytes = 0;

  /** `base`: directory and id, to which each file adds its end. */
  constructor(
    private readonly base: FileBase,
    private readonly files: OpenFiles,
    private readonly log: Log,
  ) {}

  /** The bytes of chat.raw. */
  get raw(): KeptBytes {
    return (this.madeRaw ??= new KeptBytes({ base: this.base, end: '.chat' }, this.files, this.log));
  }

  /** The bytes of chat. */
  get plain(): KeptBytes {
    return (this.madePlain ??= new KeptBytes({ base: this.base, end: '.plain' }, this.files, this.log));
  }

  private get journal(): AppendFile {
    return (this.madeJournal ??= new AppendFile({ base: this.base, end: '.jsonl' }, this.files));
  }

  private get snapshotPath(): string {
    return pathOf({ base: this.base, end: '.json' });
  }

  private get markPath(): string {
    return `${this.base.directory}/${WORKING}/${this.base.id}`;
  }

  /** The journal has outgrown its snapshot. */
  get isLong(): boolean {
    return this.journal.length > Math.max(SHORT_JOURNAL, this.snapshotBytes);
  }

  /** Nothing is in the journal. */
  get isNew(): boolean {
    return this.journal.length === 0;
  }

  /** There is more in the journal than its first line. */
  get hasRecords(): boolean {
    return this.journal.length > journalHead(this.generation).length;
  }

  get hasSnapshot(): boolean {
    return this.generation > 0;
  }

  /** The records are in the file when this returns: all or none. */
  append(records: readonly object[]): void {
    const head = this.journal.length === 0 ? journalHead(this.generation) : '';
    this.journal.append(Buffer.from(head + records.map(journalLine).join(''), 'utf8'));
  }

  /** All that was kept. What cannot be read is set aside; nothing else on the disk changes. */
  load(): KeptAgent {
    try {
      const snapshot = this.loadSnapshot();
      const isLost = snapshot === undefined && this.snapshotBytes > 0;
      this.generation = typeof snapshot?.journal === 'number' ? snapshot.journal : 0;
      const { records, isBad } = this.loadJournal(isLost);
      return { snapshot, records, isDamaged: isLost || isBad };
    } catch (error) {
      throw new StoreError(this.snapshotPath, error);
    }
  }

  /**
   * Writes the snapshot and begins a new journal. A death between the two leaves a journal of an older generation
   * than the snapshot, which `load` passes over: all that it says is in the snapshot.
   */
  replaceSnapshot(state: object): void {
    const generation = this.generation + 1;
    const text = `${JSON.stringify({ ...state, version: SNAPSHOT_VERSION, journal: generation })}\n`;
    try {
      replaceFile(this.snapshotPath, text, true);
      this.generation = generation;
      this.snapshotBytes = Buffer.byteLength(text);
      this.journal.shorten(0);
      replaceFile(this.journal.path, journalHead(generation), false);
      this.journal.renewed(journalHead(generation).length);
    } catch (error) {
      throw new StoreError(this.snapshotPath, error);
    }
  }

  /** Says whether the agent has work left, so that it is found after a sudden death. */
  mark(hasWork: boolean): void {
    try {
      if (hasWork) writeFileSync(this.markPath, '', { mode: 0o600 });
      else rmSync(this.markPath, { force: true });
    } catch (error) {
      throw new StoreError(this.markPath, error);
    }
  }

  /** What was written outlives a loss of power once this resolves. Never rejects. */
  async sync(): Promise<void> {
    await Promise.all([this.journal.path, this.raw.path, this.plain.path].map((path) => this.syncFile(path)));
  }

  /** Lets go of memory and descriptors. */
  rest(): void {
    this.raw.rest();
    this.plain.rest();
    for (const path of [this.journal.path, this.raw.path, this.plain.path]) this.files.close(path);
  }

  private loadSnapshot(): JsonObject | undefined {
    const text = readIfThere(this.snapshotPath);
    this.snapshotBytes = text === undefined ? 0 : Buffer.byteLength(text);
    const snapshot = text === undefined ? undefined : parseObject(text);
    const why = text === undefined ? undefined : whyUseless(snapshot);
    if (why === undefined) return snapshot;
    setAside(this.snapshotPath, why, this.log);
    if (snapshot) setAside(this.journal.path, why, this.log);
    return undefined;
  }

  /** `isLost`: the snapshot was there and is of no use, so that the journal is all there is. */
  private loadJournal(isLost: boolean): { readonly records: readonly JsonObject[]; readonly isBad: boolean } {
    const read = readJournal(this.journalBytes());
    this.journal.shorten(read.end);
    if (isLost) this.generation = read.generation ?? 0;
    const isOld = read.generation !== undefined && read.generation < this.generation;
    if (isOld) this.journal.shorten(0);
    const why = whyBad(read, isOld ? read.generation : this.generation);
    if (why !== undefined) {
      setAside(this.journal.path, why, this.log);
      this.journal.renewed(0);
    }
    return { records: isOld ? [] : read.records, isBad: why !== undefined };
  }

  private journalBytes(): Buffer {
    const isThere = statSync(this.journal.path, { throwIfNoEntry: false }) !== undefined;
    return isThere ? readFileSync(this.journal.path) : Buffer.alloc(0);
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
      if (errnoOf(error) !== 'ENOENT') this.log.warn(`${path}: ${messageOf(error)}`);
    }
  }
}

function whyUseless(snapshot: JsonObject | undefined): string | undefined {
  if (snapshot === undefined) return 'it is no JSON object';
  const isNewer = typeof snapshot.version === 'number' && snapshot.version > SNAPSHOT_VERSION;
  return isNewer ? `a newer Ollie wrote it (version ${JSON.stringify(snapshot.version)})` : undefined;
}

function whyBad({ bad, generation, end }: ReadJournal, expected: number | undefined): string | undefined {
  if (bad > 0) return `${String(bad)} lines are no records`;
  if (end > 0 && generation !== expected) return 'it continues another snapshot than the one that is there';
  return undefined;
}
