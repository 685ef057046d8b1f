/** What requests are sent with for a while. */
export interface Token {
  /** Goes into no message. */
  readonly text: string;
  /** In ms since 1970; absent: nobody knows. */
  readonly expiresAt?: number;
  /** Where requests with it go, when whoever gave it says so; without a slash at its end. */
  readonly baseUrl?: string;
}

/** One that is used up is not sent: it may run out on its way. */
const EARLY_MS = 300_000;

/** The token of one account. Those who ask at the same time share one fetch, which none of them can abort. */
export class TokenKeeper {
  private kept: Token | undefined;
  private freshUntil = 0;
  private fetching: Promise<Token> | undefined;

  /** `fetchToken` throws BackendError and does not wait for ever. */
  constructor(
    private readonly fetchToken: () => Promise<Token>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The last one that was fetched. */
  get last(): Token | undefined {
    return this.kept;
  }

  /** One that is good for a while; fetched anew five minutes before it ends, and if that fails the old one while it lasts. */
  async current(): Promise<Token> {
    if (this.kept && this.now() < this.freshUntil) return this.kept;
    try {
      return await this.fetched();
    } catch (error) {
      if (this.kept && this.now() < (this.kept.expiresAt ?? 0)) return this.kept;
      throw error;
    }
  }

  /** One in the place of a token that was refused. */
  async instead(refused: Token): Promise<Token> {
    return this.kept && this.kept !== refused ? this.kept : await this.fetched();
  }

  private async fetched(): Promise<Token> {
    this.fetching ??= this.fetchOnce().finally(() => (this.fetching = undefined));
    return await this.fetching;
  }

  private async fetchOnce(): Promise<Token> {
    const token = await this.fetchToken();
    this.freshUntil = this.now() + freshMs(token, this.now());
    this.kept = token;
    return token;
  }
}

/** Of a short life half counts; one that has ended before it began was told by another clock, and says nothing. */
function freshMs({ expiresAt }: Token, now: number): number {
  const left = expiresAt === undefined ? 0 : expiresAt - now;
  return left <= 0 ? Infinity : Math.max(left - EARLY_MS, left / 2);
}
