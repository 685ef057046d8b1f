import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Fault } from '../play.js';
import type { Break } from '../script.js';
import type { Cutter } from './cutter.js';

const ARRIVAL_MS = 20;

/** A fault in the middle of a stream that leaves nothing more to say. */
export class BrokenOff extends Error {
  constructor(readonly fault: Fault) {
    super(fault.kind);
    this.name = 'BrokenOff';
  }
}

/** Writes the events of an answer, cut as asked for, and goes wrong where the script says so. */
export class BodyWriter {
  private events = 0;
  private bytes = 0;
  /** Of those that count bytes or events, until it has struck. */
  private fault: Break | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly cutter: Cutter,
    private readonly garbage: string,
    fault: Fault | undefined,
  ) {
    this.fault = fault?.kind !== 'status' && fault?.unit !== 'characters' ? fault : undefined;
  }

  /** Each piece is its own write, and waits while the client does not read. Throws BrokenOff. */
  async write(event: string, gone: AbortSignal): Promise<void> {
    const bytes = Buffer.from(event);
    const end = this.faultIn(bytes.length);
    this.events += 1;
    this.bytes += bytes.length;
    if (end === undefined) return await this.put(bytes, gone);
    await this.put(bytes.subarray(0, end), gone);
    await this.strike(gone);
    await this.put(bytes.subarray(end), gone);
  }

  /** How much of the next event comes before the fault; undefined when all of it does. */
  private faultIn(length: number): number | undefined {
    if (!this.fault) return undefined;
    const left = this.fault.unit === 'bytes' ? this.fault.after - this.bytes : 0;
    const isHere = this.fault.unit === 'bytes' ? left <= length : this.events === this.fault.after;
    return isHere ? left : undefined;
  }

  async strike(gone: AbortSignal, fault: Fault | undefined = this.fault): Promise<void> {
    if (fault === this.fault) this.fault = undefined;
    if (fault?.kind === 'garbage') await this.put(Buffer.from(this.garbage), gone);
    else if (fault) throw new BrokenOff(fault);
  }

  /** Clients put together what comes at once, so that each piece of a cut event goes out by itself. */
  private async put(whole: Buffer, gone: AbortSignal): Promise<void> {
    for (const piece of this.cutter.cut(whole)) {
      gone.throwIfAborted();
      if (!this.response.write(piece)) await once(this.response, 'drain', { signal: gone });
      if (piece.length < whole.length) await setImmediate(undefined, { signal: gone });
    }
  }
}

/** Ends a connection in the middle. What was written must have arrived: a reader drops what it has not read yet when its connection breaks. */
export async function breakOff(response: ServerResponse, isHard: boolean): Promise<void> {
  const { socket } = response;
  if (!socket) return;
  await new Promise((flushed) => socket.write('', flushed));
  await setTimeout(ARRIVAL_MS);
  if (isHard) socket.resetAndDestroy();
  else response.destroy();
}
