import type { Dialect } from './dialect.js';
import { toClientError } from './faults.js';
import { FidTable, type Fid } from './fids.js';
import type { FileServer } from './file-server.js';
import type { ServerLimits } from './limits.js';
import type { Locks } from './linux/locks.js';
import { Requests } from './requests.js';
import type { WriteAllowance } from './write-allowance.js';
import type { Socket } from 'node:net';

/** How many messages of full size a connection may keep in memory, waiting for their turn. */
const WAITING_MESSAGES = 16;

/** What every session of a connection works with. */
export interface SessionHost {
  readonly files: FileServer;
  readonly limits: ServerLimits;
  readonly connectionId: number;
  /** Absent where there is none. */
  readonly socket?: Socket;
  readonly allowance: WriteAllowance;
  /** Called with each attach that has succeeded. */
  readonly onAttach: () => void;
  /** Of all clients of the server. */
  readonly locks: Locks;
  /** Takes errors that are not made for clients. */
  readonly onBug: (error: unknown) => void;
}

/** What lives from one Tversion to the next, or to the hang-up. */
export class Session {
  readonly fids: FidTable;
  readonly requests: Requests;
  #isOver = false;

  constructor(
    readonly host: SessionHost,
    readonly dialect: Dialect,
    readonly msize: number,
  ) {
    const { maxFidsPerConnection, maxPendingPerConnection, maxMessageBytes } = host.limits;
    this.fids = new FidTable(maxFidsPerConnection);
    this.requests = new Requests({ count: maxPendingPerConnection, bytes: WAITING_MESSAGES * maxMessageBytes });
  }

  /** True from the moment of the hang-up: nothing is sent any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Makes a fid of that number by `fill`, which sets its state; what comes for it meanwhile waits. Left empty, it goes again. */
  async makeFid<T>(number: number, fill: (fid: Fid) => Promise<T>): Promise<T> {
    const fid = this.fids.add(number);
    try {
      return await fid.sequence.change(() => fill(fid));
    } finally {
      if (fid.state.kind === 'empty') this.fids.drop(number, fid);
    }
  }

  /** Aborts every request, and closes every file as soon as its own have ended. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true;
    const cancelled = this.requests.cancelAll();
    const closings = await Promise.allSettled(this.fids.all().map((fid) => fid.close('hangup')));
    for (const closing of closings) if (closing.status === 'rejected') toClientError(closing.reason, this.host.onBug);
    await cancelled;
  }
}
