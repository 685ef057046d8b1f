import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, NinepServer, type Address, type DialOptions, type FileServer, type ListenOptions } from '#ninep';

const PATIENCE_MS = 5000;

/** A 9P server on a socket in a directory of its own, and the clients that a test makes of it. */
export class ServedBench {
  readonly directory = mkdtempSync(join(tmpdir(), 'ninep-'));
  readonly path = join(this.directory, 'socket');
  readonly address: Address = { type: 'unix', path: this.path };
  readonly bugs: unknown[] = [];
  readonly server: NinepServer;
  readonly #clients: Client[] = [];

  private constructor(files: FileServer, options: ListenOptions) {
    this.server = new NinepServer(files, { onBug: (error) => this.bugs.push(error), ...options });
  }

  static async start(files: FileServer, options: ListenOptions = {}): Promise<ServedBench> {
    const bench = new ServedBench(files, options);
    await bench.server.listen(bench.address);
    return bench;
  }

  async dial(options: Partial<DialOptions> = {}, signal?: AbortSignal): Promise<Client> {
    const client = await Client.dial({ address: this.address, uname: 'glenda', aname: '', ...options }, signal);
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.server.close();
    rmSync(this.directory, { recursive: true });
  }
}

/** Waits until `isTrue` is; fails after five seconds. */
export async function eventually(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isTrue(); await sleep(1)) {
    if (Date.now() > end) throw new Error(`never came true: ${isTrue.toString()}`);
  }
}
