import { isUtf8 } from 'node:buffer';
import { FuseError } from './errors.js';
import { inHeader } from './protocol.js';

/** A request of the kernel, between its arrival and its reply. */
export class Request {
  readonly opcode: number;
  readonly unique: number;
  readonly nodeid: number;
  /** The thread that asks; 0 when it is outside of our pid namespace. */
  readonly pid: number;
  /** What follows the header. */
  readonly body: Buffer;
  #controller: AbortController | undefined;

  constructor(
    frame: Buffer,
    readonly send: (reply: Buffer) => void,
  ) {
    const { opcode, unique, nodeid, pid } = inHeader.decode(frame);
    this.opcode = opcode;
    this.unique = unique;
    this.nodeid = nodeid;
    this.pid = pid;
    this.body = frame.subarray(inHeader.size);
  }

  /** Aborts on INTERRUPT, and when the mount ends. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(new FuseError('EINTR', 'interrupted'));
  }

  get isAborted(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  throwIfAborted(): void {
    this.#controller?.signal.throwIfAborted();
  }

  /** The names that stand in the body from `at` on, each with a zero byte behind. ENOENT for one that is no UTF-8: no tree has such. */
  names(at = 0): readonly string[] {
    const names: string[] = [];
    for (let start = at, end = this.body.indexOf(0, start); end >= 0; end = this.body.indexOf(0, start)) {
      const name = this.body.subarray(start, end);
      if (!isUtf8(name)) throw new FuseError('ENOENT');
      names.push(name.toString());
      start = end + 1;
    }
    return names;
  }
}
