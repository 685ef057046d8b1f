const MOST = 4_096;

/** Which account a conversation is with: what the provider has cached of it is there. The longest unused are forgotten. */
export class Homes {
  private readonly accounts = new Map<string, number>();

  of(conversation: string | undefined): number | undefined {
    return conversation === undefined ? undefined : this.accounts.get(conversation);
  }

  settle(conversation: string | undefined, account: number): void {
    if (conversation === undefined) return;
    this.accounts.delete(conversation);
    this.accounts.set(conversation, account);
    const [oldest] = this.accounts.keys();
    if (this.accounts.size > MOST && oldest !== undefined) this.accounts.delete(oldest);
  }
}
