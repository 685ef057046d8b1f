import { LatestValue, type Client, type LatestSource } from '#virtfs';
import type { FeedMode } from './profile.js';
import { feedText } from './wrapped-text.js';

/** What is fed to an agent: only the newest counts. In the mode `prompt` each changed value also asks for a turn. */
export class Feed implements LatestSource {
  private readonly value = new LatestValue();

  constructor(
    private readonly mode: () => FeedMode,
    private readonly ask: (text: string) => void,
  ) {}

  set(bytes: Uint8Array): void {
    const isNew = this.value.set(bytes);
    if (isNew && this.mode() === 'prompt') this.ask(feedText(Buffer.from(bytes).toString('utf8')));
  }

  next(client: Client, signal: AbortSignal): Promise<Uint8Array> {
    return this.value.next(client, signal);
  }

  /** Nobody waits any more. */
  close(): void {
    this.value.finish();
  }
}
