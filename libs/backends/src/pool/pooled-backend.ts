import {
  AbortedError,
  Backend,
  BackendError,
  type Clock,
  type ModelCapabilities,
  type ModelInfo,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { Admission } from './admission.js';
import type { Member } from './member.js';
import { ModelList } from './model-list.js';
import { PooledAnswers, type OnSwitch } from './pooled-answers.js';

export interface PooledBackendOptions {
  readonly name: string;
  readonly defaultModel: string | undefined;
  /** At least one. */
  readonly members: readonly Member[];
  readonly clock: Clock;
  readonly onSwitch: OnSwitch;
}

/** One backend with all its accounts: which of them a request goes to, and when, is decided here. */
export class PooledBackend extends Backend {
  readonly name: string;
  readonly defaultModel: string | undefined;
  private readonly members: readonly Member[];
  private readonly admission: Admission;
  private readonly answers: PooledAnswers;
  private readonly list: ModelList;

  constructor({ name, defaultModel, members, clock, onSwitch }: PooledBackendOptions) {
    super();
    this.name = name;
    this.defaultModel = defaultModel;
    this.members = members;
    this.admission = new Admission(
      members.map(({ concurrency }) => concurrency),
      clock,
    );
    this.answers = new PooledAnswers(name, members, this.admission, onSwitch);
    this.list = new ModelList(
      (signal) => this.ask(signal),
      () => clock.now(),
    );
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    return this.answers.stream(request, signal);
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    try {
      return await this.list.get(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new AbortedError(`${this.name}: aborted`, { backend: this.name, kind: 'aborted' });
    }
  }

  override contextLength(model: string): number | undefined {
    return this.members.map(({ known }) => known.contextLength(model)).find((told) => told !== undefined);
  }

  override capabilities(model: string): ModelCapabilities {
    return this.members[0]?.known.capabilities(model) ?? {};
  }

  invalidate(): void {
    this.list.forget();
    for (const member of this.members) member.forget();
    this.admission.forgive();
  }

  /** Asks one account after the other until one tells. Rejects as the first one did. */
  private async ask(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    let failure: unknown;
    for (const index of this.admission.inOrder) {
      try {
        return await this.member(index).use((backend) => freshModels(backend, signal), signal);
      } catch (error) {
        if (signal.aborted || !(error instanceof BackendError)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  private member(index: number): Member {
    const member = this.members[index];
    if (!member) throw new RangeError(`no account ${index}`);
    return member;
  }
}

/** Backends keep what they were told; how long that holds is decided here. */
async function freshModels(backend: Backend, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  backend.invalidate();
  return await backend.models(signal);
}
