import { setTimeout as sleep } from 'node:timers/promises';
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

  /** Tells it to stop and resolves when it has let go of the address; false when nobody listened. */
  async stop(): Promise<boolean> {
    const client = await this.dial();
    if (!client) return false;
    await client.ask('ctl', 'kill\n');
    await client.closed;
    const limit = AbortSignal.timeout(STOP_LIMIT_MS);
    for (let left: Client | undefined = client; left; left = await this.dial()) {
      left.close();
      await sleep(POLL_MS, undefined, { signal: limit });
    }
    return true;
  }
}

/** No socket there, or one that nobody listens on any more. */
function isAbsent(error: unknown): boolean {
  return error instanceof NinepError && (error.posix === 'ENOENT' || error.posix === 'ECONNREFUSED');
}
