import { dirname } from 'node:path';
import type { Log } from '#config';
import { type FileBase, pathOf } from './file-place.js';
import { type JsonObject, parseObject } from './parse-object.js';
import { readIfThere, replaceFile } from './private-file.js';
import { setAside } from './set-aside.js';
import type { SnapshotDisk } from './snapshot-disk.js';

/** The newest form of a snapshot that can be read. */
const SNAPSHOT_VERSION = 1;

/**
 * Where in the journals a snapshot was taken. With `after` it has the first `after` bytes of the journal of this
 * generation, and the rest of that journal or the whole of the next one continues it; without, the whole of this one does.
 */
export interface SnapshotPlace {
  readonly generation: number;
  readonly after: number | undefined;
}

/** What was read. `isLost`: it was there and is of no use. `isNewer`: because a newer Ollie wrote it. */
export interface ReadSnapshot {
  readonly snapshot: JsonObject | undefined;
  readonly isLost: boolean;
  readonly isNewer: boolean;
}

/** The snapshot of one agent. Writes fail as the file system does, with the old content in place. */
export class SnapshotFile {
  readonly path: string;
  /** Its bytes; 0 where there is none or it was not read yet. */
  length = 0;
  /** Counts what was written, so that what is slow never takes the place of what is newer. */
  private edition = 0;
  private isRenaming = false;

  constructor(
    base: FileBase,
    private readonly disk: SnapshotDisk,
  ) {
    this.path = pathOf({ base, end: '.json' });
  }

  /** A slow write is past the point where it could be held back: it may still take the place of what is written now. */
  get isUnsettled(): boolean {
    return this.isRenaming;
  }

  /** What cannot be used is set aside. */
  read(log: Log): ReadSnapshot {
    const text = readIfThere(this.path);
    const snapshot = text === undefined ? undefined : parseObject(text);
    const why = text === undefined ? undefined : whyUseless(snapshot);
    this.length = why === undefined && text !== undefined ? Buffer.byteLength(text) : 0;
    if (why === undefined) return { snapshot, isLost: false, isNewer: false };
    setAside(this.path, why, log);
    return { snapshot: undefined, isLost: true, isNewer: snapshot !== undefined };
  }

  /** It is in place, also after a loss of power, when this returns. Where it throws, it or the old one is. */
  replace(state: object, place: SnapshotPlace): void {
    this.edition += 1;
    const text = snapshotText(state, place);
    replaceFile(this.path, text, true);
    this.length = Buffer.byteLength(text);
    this.disk.syncDirectoryNow(dirname(this.path));
  }

  /** The same beside other work. `settled` is called when it is in place, unless another write came in between: then either may be. */
  async replaceSlowly(state: object, place: SnapshotPlace, settled: () => void): Promise<void> {
    this.edition += 1;
    const { edition } = this;
    const text = snapshotText(state, place);
    const temporary = `${this.path}.new.tmp`;
    try {
      await this.disk.write(temporary, text);
      if (edition === this.edition) await this.moveIn(temporary);
    } finally {
      await this.disk.remove(temporary);
    }
    if (edition !== this.edition) return;
    this.length = Buffer.byteLength(text);
    settled();
  }

  private async moveIn(temporary: string): Promise<void> {
    this.isRenaming = true;
    try {
      await this.disk.rename(temporary, this.path);
    } finally {
      this.isRenaming = false;
    }
    await this.disk.syncDirectory(dirname(this.path));
  }
}

/** Where a snapshot that was read was taken. */
export function placeOf(snapshot: JsonObject | undefined): SnapshotPlace {
  const { journal, after } = snapshot ?? {};
  return { generation: typeof journal === 'number' ? journal : 0, after: typeof after === 'number' ? after : undefined };
}

function snapshotText(state: object, { generation, after }: SnapshotPlace): string {
  return `${JSON.stringify({ ...state, version: SNAPSHOT_VERSION, journal: generation, after })}\n`;
}

function whyUseless(snapshot: JsonObject | undefined): string | undefined {
  if (snapshot === undefined) return 'it is no JSON object';
  const isNewer = typeof snapshot.version === 'number' && snapshot.version > SNAPSHOT_VERSION;
  return isNewer ? `a newer Ollie wrote it (version ${JSON.stringify(snapshot.version)})` : undefined;
}
