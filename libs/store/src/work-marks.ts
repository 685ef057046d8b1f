import { join } from 'node:path';
import { type Log, messageOf } from '#config';
import { AppendFile } from './append-file.js';
import { WORKING } from './file-place.js';
import type { OpenFiles } from './open-files.js';
import { readIfThere, replaceFile } from './private-file.js';

/** So long the file may be whatever it says. */
const SHORT = 64 * 1024;

/**
 * Which agents have work left: a file of lines `+ID` and `-ID`, of which the last of an agent counts. A line costs a
 * twentieth of what a file for each mark does. Torn lines name nobody.
 */
export class WorkMarks {
  private readonly path: string;
  private readonly file: AppendFile;
  private known: Set<string> | undefined;
  private most = SHORT;
  private hasWritten = false;

  constructor(
    directory: string,
    files: OpenFiles,
    private readonly log: Log,
  ) {
    this.path = join(directory, WORKING);
    this.file = new AppendFile({ base: { directory, id: '' }, end: WORKING }, files);
  }

  get all(): ReadonlySet<string> {
    return this.marked;
  }

  /** It is in the file when this returns. Throws StoreError; then nothing has changed. */
  set(agentId: string, hasWork: boolean): void {
    if (this.marked.has(agentId) === hasWork) return;
    const end = this.hasWritten ? '' : '\n'; // of what an earlier process may have begun
    this.file.append(Buffer.from(`${end}${hasWork ? '+' : '-'}${agentId}\n`, 'utf8'));
    this.hasWritten = true;
    if (hasWork) this.marked.add(agentId);
    else this.marked.delete(agentId);
    if (this.file.length > this.most) this.shorten();
  }

  private get marked(): Set<string> {
    return (this.known ??= marksIn(readIfThere(this.path) ?? ''));
  }

  /** Where the disk does not take it, the file goes on as it is. */
  private shorten(): void {
    const text = [...this.marked].map((id) => `+${id}\n`).join('');
    this.most = 2 * Math.max(SHORT, text.length, this.file.length);
    try {
      replaceFile(this.path, text, false);
    } catch (error) {
      this.log.warn(`${this.path}: ${messageOf(error)}`);
      return;
    }
    this.file.renewed(Buffer.byteLength(text));
    this.most = Math.max(SHORT, 2 * text.length);
  }
}

function marksIn(text: string): Set<string> {
  const marked = new Set<string>();
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith('+')) marked.add(line.slice(1));
    if (line.startsWith('-')) marked.delete(line.slice(1));
  }
  return marked;
}
