import type { OutputPiece } from '#model';
import { type Client, openMode } from '#ninep';
import { Looks } from './looks.js';
import { parseProcessList } from './parse-process-list.js';
import { processStat } from './process-stat.js';
import { readRange } from './read-ends.js';

const MAX_PIECE_BYTES = 16 * 1024;

/** A call by the id that its caller gave it. */
export interface FollowedCall {
  readonly agentId: string;
  readonly callId: string;
}

/**
 * Reads what a call puts out while somebody else waits for its result. The tool server tells nobody of output and of
 * processes that begin, so this looks for them, in the rhythm of `Looks`.
 */
export class CallFollower {
  private readonly looks = new Looks();
  /** Processes that belong to other calls. */
  private readonly others = new Set<number>();

  constructor(
    private readonly client: Client,
    private readonly call: FollowedCall,
    private readonly signal: AbortSignal,
  ) {}

  /** Ends when the signal aborts between two looks; during one it rejects with the signal's reason. */
  async *pieces(): AsyncGenerator<OutputPiece, void, undefined> {
    const pid = await this.find();
    if (pid === undefined) return;
    const file = await this.client.open(`proc/${pid}/out`, openMode.read, this.signal);
    try {
      let from = 0;
      do {
        const bytes = await readRange(file, { from, to: from + MAX_PIECE_BYTES }, this.signal);
        if (bytes.length === 0) continue;
        from += bytes.length;
        this.looks.sawNews();
        yield { pid, bytes };
      } while (await this.looks.next(this.signal));
    } finally {
      // Not waited for: the call may have ended because its tool server answers nobody any more.
      void Promise.allSettled([file.clunk()]);
    }
  }

  /** A call has no process while it waits for an approval, so this may take long. Undefined when the signal aborts. */
  private async find(): Promise<number | undefined> {
    while (await this.looks.next(this.signal)) {
      const pid = await this.lookForProcess();
      if (pid !== undefined) return pid;
    }
    return undefined;
  }

  private async lookForProcess(): Promise<number | undefined> {
    const { client, others, signal } = this;
    const list = Buffer.from(await client.ask('proc/list', `${this.call.agentId}\n`, signal)).toString('utf8');
    const running = parseProcessList(list).filter(({ pid, state }) => state === 'running' && !others.has(pid));
    for (const { pid } of running) {
      const stat = await processStat(client, pid, signal);
      if (stat?.get('call') === this.call.callId && stat.get('background') !== 'true') return pid;
      others.add(pid);
    }
    return undefined;
  }
}
