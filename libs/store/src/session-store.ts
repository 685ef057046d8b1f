import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, messageOf } from '#config';
import { AgentFiles, type AgentFilesTools } from './agent-files.js';
import { BlobStore } from './blob-store.js';
import { StoreError } from './errors.js';
import { AGENT_ENDS, KILLED, KILLED_SESSION, SESSION } from './file-place.js';
import { OpenFiles } from './open-files.js';
import { makePrivateDirectory, replaceFile } from './private-file.js';
import { parseSession, type SessionRecord, sessionText } from './session-record.js';
import { setAside } from './set-aside.js';
import { Slots } from './slots.js';
import type { SnapshotDisk } from './snapshot-disk.js';
import { type StoreDisk, storeDisk } from './store-disk.js';
import { WorkMarks } from './work-marks.js';

/** Snapshots that are being written at a time. */
const MOST_SNAPSHOTS = 2;

/**
 * The sessions that are kept below a data directory, and the files of their agents. Only one server may use it at a
 * time (StoreLock). What a method has written is in the files when it returns, so that it outlives a sudden death of
 * this process; `StoreError` says that the disk did not take it, and then all is as before.
 */
export class SessionStore {
  readonly blobs: BlobStore;
  private readonly directory: string;
  private readonly files: OpenFiles;
  private readonly marks: WorkMarks;
  private readonly slots = new Slots(MOST_SNAPSHOTS);

  /** Makes the directories. Throws as the file system does. */
  constructor(
    readonly data: string,
    private readonly log: Log,
    private readonly disk: StoreDisk = storeDisk,
  ) {
    this.files = new OpenFiles(disk);
    this.directory = join(data, 'sessions');
    this.blobs = new BlobStore(join(data, 'blobs'), disk);
    this.marks = new WorkMarks(this.directory, this.files, log);
    makePrivateDirectory(join(this.directory, KILLED));
  }

  /** All that were not killed, by id. What cannot be read is set aside. */
  sessions(): readonly SessionRecord[] {
    const names = readdirSync(this.directory).filter((name) => name.endsWith(SESSION));
    return names.sort().flatMap((name) => this.read(join(this.directory, name)) ?? []);
  }

  /** The path of a session's file. */
  path(sessionId: string): string {
    return join(this.directory, sessionId + SESSION);
  }

  save(session: SessionRecord): void {
    this.attempt(this.path(session.id), (path) => replaceFile(path, sessionText(session), false));
  }

  /** The session does not come back; its files stay until retention ends. */
  kill(sessionId: string): void {
    this.attempt(this.path(sessionId), (path) => renameSync(path, join(this.directory, sessionId + KILLED_SESSION)));
  }

  /** The agent's files, if it has any, stay until retention ends. */
  killAgent(agentId: string): void {
    this.forgetWork(agentId);
    const hasFiles = AGENT_ENDS.some((end) => existsSync(join(this.directory, agentId + end)));
    if (hasFiles) this.attempt(join(this.directory, KILLED, agentId), (path) => replaceFile(path, '', false));
  }

  agent(agentId: string): AgentFiles {
    const { files, slots, blobs, marks, log } = this;
    const tools: AgentFilesTools = { files, slots, disk: this.snapshotDisk, blobs, marks, log };
    return new AgentFiles({ directory: this.directory, id: agentId }, tools);
  }

  /** What a snapshot speaks of outlives a loss of power before it does. */
  private get snapshotDisk(): SnapshotDisk {
    const { disk, blobs } = this;
    const write = async (path: string, text: string): Promise<void> => {
      await blobs.sync();
      await disk.write(path, text);
    };
    return { ...disk, write };
  }

  /** The ids of agents that had work left when they were last heard of. */
  working(): ReadonlySet<string> {
    return new Set(this.marks.all);
  }

  /** Takes back what `working` says of an agent that is no more. */
  forgetWork(agentId: string): void {
    this.marks.set(agentId, false);
  }

  /** Resolves when no snapshot is being written. */
  async idle(): Promise<void> {
    await this.slots.idle();
  }

  close(): void {
    this.files.closeAll();
  }

  private read(path: string): SessionRecord | undefined {
    try {
      const session = parseSession(readFileSync(path, 'utf8'));
      if (typeof session !== 'string') return session;
      setAside(path, session, this.log);
    } catch (error) {
      this.log.error(`${path}: ${messageOf(error)}`);
    }
    return undefined;
  }

  private attempt(path: string, work: (path: string) => void): void {
    try {
      work(path);
    } catch (error) {
      throw new StoreError(path, error);
    }
  }
}
