import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '#config';
import { Client, NinepError, parseAddress } from '#ninep';
import { PidFile } from '../pid-file.js';

const POLL_MS = 50;
const STOP_LIMIT_MS = 15_000;

/** The server behind an address, as a client sees it. */
export class RunningServer {
  constructor(readonly address: string) {}

  get pid(): number | undefined {
    return new PidFile(this.address).read();
  }

  /** Undefined when nobody listens. */
  async dial(): Promise<Client | undefined> {
    try {
      return await Client.dial({ address: parseAddress(this.address), uname: 'user', aname: '' });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** The lines of its session index; undefined when nobody listens. */
  async sessions(): Promise<readonly string[] | undefined> {
    const client = await this.dial();
    if (!client) return undefined;
    try {
      const index = new TextDecoder().decode(await client.readAll('session/idx'));
      return index.split('\n').filter((line) => line !== '');
    } finally {
      client.close();
    }
  }

  /** Tells it to stop and resolves when all that it ran has ended; false when nobody listened. */
  async stop(): Promise<boolean> {
    const client = await this.dial();
    if (!client) return false;
    const { pid } = this;
    await client.ask('ctl', 'kill\n');
    await client.closed;
    for (const begin = performance.now(); await this.isThere(pid); await sleep(POLL_MS)) {
      if (performance.now() - begin > STOP_LIMIT_MS)
        throw new Error(`${this.address} has not stopped after ${String(STOP_LIMIT_MS / 1000)} s`);
    }
    return true;
  }

  /** It lets go of the address first and of its pid file last. */
  private async isThere(pid: number | undefined): Promise<boolean> {
    const client = await this.dial();
    client?.close();
    return client !== undefined || (pid !== undefined && pid === this.pid && isAlive(pid));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
    throw error;
  }
}

/** No socket there, or one that nobody listens on any more. */
function isAbsent(error: unknown): boolean {
  return error instanceof NinepError && (error.posix === 'ENOENT' || error.posix === 'ECONNREFUSED');
}
