import { type Log, messageOf } from '#config';
import { type BackgroundProcess, OllieError } from '#model';
import { type ProcessOutputs, StoreError } from '#store';
import { type EndedProcess, lostProcess } from './ended-process.js';
import { KeptBackgroundProcess } from './kept-process.js';

/** Longer output is kept in a file of its own. */
const MAX_SHORT_BYTES = 4096;
const PIECE_BYTES = 1024 * 1024;

/** A process that an agent has started in the background. */
export interface StartedProcess {
  readonly pid: number;
  readonly tool: string;
  readonly command: string;
}

/** Who remembers processes of an agent that have ended. */
export interface EndedProcesses {
  readonly ended: readonly EndedProcess[];
  keepEnd(process: EndedProcess): void;
  forget(pid: number): void;
}

/** Keeps what there is to read of the background processes of an agent once they have ended. */
export class ProcessKeeper {
  /** Without `outputs` nothing is kept: then a process is there as long as its tool server has it. */
  constructor(
    private readonly outputs: ProcessOutputs | undefined,
    private readonly memory: () => EndedProcesses,
    private readonly log: Log,
  ) {}

  /** Those of earlier processes of this program, oldest first. */
  earlier(): readonly BackgroundProcess[] {
    const { outputs } = this;
    return outputs ? this.memory().ended.map((ended) => this.served(outputs, ended)) : [];
  }

  /** Gives who serves a process from now on: the process itself where it cannot be kept. Rejects with the signal's reason. */
  async keep(process: BackgroundProcess, started: StartedProcess, signal: AbortSignal): Promise<BackgroundProcess> {
    const { outputs } = this;
    if (!outputs) return process;
    try {
      const stat = (await process.stat(signal)).replace(/^notified=false$/m, 'notified=true');
      const output = await this.outputOf(process, outputs, signal);
      return this.took(outputs, { ...started, stat, output }, process);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OllieError || error instanceof StoreError)) throw error;
      this.log.warn(`output of process ${started.pid} is not kept: ${messageOf(error)}`);
      return process;
    }
  }

  /** The same for one that nothing can be read of any more. `words`: what is told of it. */
  keepLost(process: BackgroundProcess, started: StartedProcess, words: string): BackgroundProcess {
    return this.outputs ? this.took(this.outputs, lostProcess(started, words)) : process;
  }

  private async outputOf(process: BackgroundProcess, outputs: ProcessOutputs, signal: AbortSignal): Promise<Uint8Array | number> {
    const length = await process.outputLength(signal);
    if (length > MAX_SHORT_BYTES) return outputs.keep(process.pid, piecesOf(process, signal));
    const pieces: Uint8Array[] = [];
    for await (const piece of piecesOf(process, signal)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  private took(outputs: ProcessOutputs, ended: EndedProcess, origin?: BackgroundProcess): BackgroundProcess {
    this.memory().keepEnd(ended);
    this.dropOthers(outputs);
    return this.served(outputs, ended, origin);
  }

  private served(outputs: ProcessOutputs, ended: EndedProcess, origin?: BackgroundProcess): BackgroundProcess {
    const forgotten = (pid: number): void => {
      this.memory().forget(pid);
      this.dropOthers(outputs);
    };
    return new KeptBackgroundProcess(ended, { outputs, forgotten }, origin);
  }

  private dropOthers(outputs: ProcessOutputs): void {
    const inFiles = this.memory().ended.filter(({ output }) => typeof output === 'number');
    outputs.keepOnly(new Set(inFiles.map(({ pid }) => pid))).catch((error: unknown) => this.log.warn(messageOf(error)));
  }
}

async function* piecesOf(process: BackgroundProcess, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let offset = 0; ;) {
    const piece = await process.output({ offset, count: PIECE_BYTES }, signal);
    if (piece.length === 0) return;
    yield piece;
    offset += piece.length;
  }
}
