import { AuthError, type Backend } from '#model';
import { Shared } from './shared.js';

/** What an account is made of. */
export interface MemberOptions {
  readonly name: string;
  /** Requests at a time; undefined = any number. */
  readonly concurrency: number | undefined;
  /** Does no I/O. Without a key it makes what is asked only for what is known of models. */
  readonly make: (key: string | undefined) => Backend;
  /** Where the key comes from; undefined: `make` needs none. Rejects with BackendError. */
  readonly tellKey?: (signal: AbortSignal) => Promise<string>;
}

/** One account, with the backend that asks for it: made anew with each key. */
export class Member {
  readonly name: string;
  readonly concurrency: number | undefined;
  private made: Backend | undefined;
  private key: string | undefined;
  private readonly telling: Shared<Backend> | undefined;

  constructor(private readonly options: MemberOptions) {
    const { name, concurrency, tellKey } = options;
    this.name = name;
    this.concurrency = concurrency;
    this.telling = tellKey && new Shared(async (signal) => this.with(await tellKey(signal)));
  }

  /** For what asks nobody. */
  get known(): Backend {
    return (this.made ??= this.options.make(undefined));
  }

  /**
   * Does something with its backend; a second time, with another key, when the first is refused and there is another one.
   * Rejects as that does, with BackendError when there is no key, or with the signal's reason.
   */
  async use<T>(work: (backend: Backend) => Promise<T>, signal: AbortSignal): Promise<T> {
    const backend = this.telling && this.key === undefined ? await this.telling.result(signal) : this.known;
    try {
      return await work(backend);
    } catch (error) {
      const next = error instanceof AuthError ? await this.renewed(backend, signal) : undefined;
      if (!next) throw error;
      return await work(next);
    }
  }

  /** The key is asked for anew with the next request, and what is cached about models is dropped. */
  forget(): void {
    this.telling?.renew();
    this.key = undefined;
    this.made?.invalidate();
  }

  /** For the key of `refused`; undefined when there is no other. Who comes late finds what the first one was told. */
  private async renewed(refused: Backend, signal: AbortSignal): Promise<Backend | undefined> {
    const next = this.known === refused ? await this.telling?.result(signal) : this.known;
    return next === refused ? undefined : next;
  }

  private with(key: string): Backend {
    if (this.made && this.key === key) return this.made;
    this.key = key;
    return (this.made = this.options.make(key));
  }
}
