/** What a user has put in while a turn runs: one text at a time, until the model is given it. */
export class InjectionSlot {
  private text: string | undefined;

  get pending(): string | undefined {
    return this.text;
  }

  /** One is waiting. */
  get isTaken(): boolean {
    return this.text !== undefined;
  }

  replace(text: string): void {
    this.text = text;
  }

  /** Undefined when none is waiting; the next call then gives none either. */
  take(): string | undefined {
    const { text } = this;
    this.text = undefined;
    return text;
  }
}
