import { messageOf } from '#config';
import { BypassObserver, type Observation } from './bypass-observer.js';
import type { ToolsrvProcess } from './toolsrv-process.js';

/** Observes a tool server while somebody observes the desk, and at no other time: else its calls are refused at once. */
export class ApprovalLink {
  private observer: Promise<BypassObserver | undefined> | undefined;
  private readonly life = new AbortController();
  private readonly leave: () => void;

  constructor(
    private readonly server: Pick<ToolsrvProcess, 'observe'>,
    private readonly observation: Observation,
  ) {
    this.leave = observation.desk.onPresence((isObserved) => void this.follow(isObserved));
  }

  /** Resolves when the tool server knows that somebody is there; undefined where nobody is. Never rejects. */
  ready(): Promise<void> | undefined {
    return this.observation.desk.isObserved ? this.follow(true) : undefined;
  }

  withdraw(agent: string, call: string): void {
    void this.observer?.then((observer) => observer?.withdraw(agent, call));
  }

  async close(): Promise<void> {
    this.leave();
    this.life.abort();
    await this.follow(false);
  }

  private async follow(isObserved: boolean): Promise<void> {
    if (isObserved) {
      await (this.observer ??= this.attach());
      return;
    }
    const { observer } = this;
    this.observer = undefined;
    await (await observer)?.close();
  }

  private async attach(): Promise<BypassObserver | undefined> {
    try {
      return await BypassObserver.attach(await this.server.observe(this.life.signal), this.observation);
    } catch (error) {
      if (!this.life.signal.aborted) this.observation.log.warn(`toolsrv of session ${this.observation.session}: ${messageOf(error)}`);
      return undefined;
    }
  }
}
