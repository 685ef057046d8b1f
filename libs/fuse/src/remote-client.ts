import type { Client } from '#ninep';

/**
 * One client of the server that is mounted: an attach of its own. What is still done for it after it has
 * left (a descriptor may outlive many others) attaches for that alone.
 */
export class RemoteClient {
  #hasLeft = false;

  constructor(
    private readonly client: Client,
    private readonly attach: () => Promise<Client>,
  ) {}

  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (!this.#hasLeft) return work(this.client);
    const client = await this.attach();
    try {
      return await work(client);
    } finally {
      detach(client);
    }
  }

  /** Open files stay. */
  leave(): void {
    this.#hasLeft = true;
    detach(this.client);
  }
}

function detach(client: Client): void {
  void Promise.allSettled([client.detach()]);
}
