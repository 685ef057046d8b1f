import { LatestValue, type Client, type LatestSource } from '#virtfs';
import type { KeptValue } from './kept/kept-value.js';
import type { FeedMode } from './profile.js';
import { feedText } from './wrapped-text.js';

/** What is fed to an agent: only the newest counts, and that one is kept. In the mode `prompt` each changed value also asks for a turn. */
export class Feed implements LatestSource {
  private made: LatestValue | undefined;
  private isOver = false;

  constructor(
    private readonly mode: () => FeedMode,
    private readonly ask: (text: string) => void,
    private readonly kept: KeptValue,
  ) {}

  private get value(): LatestValue {
    return (this.made ??= this.restored());
  }

  set(bytes: Uint8Array): void {
    if (this.isOver) return;
    const isNew = this.value.set(bytes);
    if (isNew && this.mode() === 'prompt') this.ask(feedText(Buffer.from(bytes).toString('utf8')));
  }

  async next(client: Client, signal: AbortSignal): Promise<Uint8Array> {
    if (this.isOver) return new Uint8Array(0);
    return this.value.next(client, signal);
  }

  /** Nobody waits any more. Never throws: what was kept is not looked at for it. */
  close(): void {
    this.isOver = true;
    this.made?.finish();
  }

  private restored(): LatestValue {
    const value = new LatestValue((bytes) => this.kept.keep(bytes));
    const bytes = this.kept.read();
    if (bytes) value.restore(bytes);
    return value;
  }
}
