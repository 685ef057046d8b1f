import { type Log, messageOf } from '#config';
import type { ApprovalDesk } from '#model';
import { chunksOf, type Client, NinepError, openMode, type RemoteFile } from '#ninep';
import { answerText, parsePendingRequest, type PendingRequest } from './pending-request.js';

/** Whose requests are put before whom. */
export interface Observation {
  readonly session: string;
  readonly desk: ApprovalDesk;
  readonly log: Log;
}

/** Observes one tool server over a connection of its own: puts its requests before the desk, and takes the decisions back. */
export class BypassObserver {
  private readonly reading = new AbortController();
  private readonly life = new AbortController();
  private readonly open = new Map<string, AbortController>();
  private readonly answers = new Set<Promise<void>>();

  private constructor(
    private readonly client: Client,
    private readonly observation: Observation,
  ) {
    void client.closed.then(() => this.hangUp());
  }

  /** Resolves when the tool server knows that somebody observes it. */
  static async attach(client: Client, observation: Observation): Promise<BypassObserver> {
    const observer = new BypassObserver(client, observation);
    try {
      await observer.begin();
      return observer;
    } catch (error) {
      observer.hangUp();
      throw error;
    }
  }

  /** The call has ended, however that was: nobody need decide about it any more. */
  withdraw(agent: string, call: string): void {
    this.open.get(keyOf({ agent, call }))?.abort();
  }

  /** Looks no more; resolves when what was decided has been said. */
  async close(): Promise<void> {
    this.reading.abort();
    await Promise.all(this.answers);
    this.hangUp();
  }

  private async begin(): Promise<void> {
    const { signal } = this.reading;
    const file = await this.client.open('bypass/pending', openMode.read, signal);
    const first = file.read(0, file.iounit, signal);
    void this.run(file, first);
    await this.client.stat('bypass', signal); // answered after the read was begun
  }

  private hangUp(): void {
    this.reading.abort();
    this.life.abort();
    this.client.close();
  }

  /** Never rejects: the end of the connection is told to its owner, and anything else ends the observation. */
  private async run(file: RemoteFile, first: Promise<Uint8Array>): Promise<void> {
    const { signal } = this.reading;
    try {
      for (let next = first; ; next = file.read(0, file.iounit, signal)) {
        const text = await textOf(file, next, signal);
        if (text === '') return;
        this.forward(parsePendingRequest(text, this.observation.session));
      }
    } catch (error) {
      if (!signal.aborted) this.observation.log.warn(`toolsrv of session ${this.observation.session}: ${messageOf(error)}`);
    }
  }

  private forward(pending: PendingRequest): void {
    const ended = new AbortController();
    this.open.set(keyOf(pending), ended);
    const answer = this.answer(pending, AbortSignal.any([ended.signal, this.life.signal])).finally(() => {
      this.open.delete(keyOf(pending));
      this.answers.delete(answer);
    });
    this.answers.add(answer);
  }

  /** Never rejects: it may be too late for an answer. */
  private async answer({ id, request }: PendingRequest, signal: AbortSignal): Promise<void> {
    const decision = await this.observation.desk.ask(request, signal);
    if (decision.decision === 'withdrawn') return;
    try {
      await this.client.writeAll('bypass/resolve', answerText(id, decision), this.life.signal);
    } catch (error) {
      if (!(error instanceof NinepError) && !this.life.signal.aborted) throw error;
      this.observation.log.warn(`approval of ${id} in session ${this.observation.session} came too late: ${messageOf(error)}`);
    }
  }
}

function keyOf({ agent, call }: Pick<PendingRequest, 'agent' | 'call'>): string {
  return `${agent} ${call}`;
}

async function textOf(file: RemoteFile, first: Promise<Uint8Array>, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of chunksOf(file, signal, first)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
