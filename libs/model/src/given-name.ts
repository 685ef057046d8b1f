import { IllegalInputError } from './errors.js';
import { isName } from './ids.js';

/** The name of a session or an agent. Others find it by that, so every change needs the consent of whoever keeps the names. */
export class GivenName {
  private consent: (next: string) => void = () => undefined;

  constructor(private current: string) {}

  get value(): string {
    return this.current;
  }

  /** Throws IllegalInputError for what is no name, and what its keeper has against it. */
  change(next: string): void {
    if (!isName(next)) throw new IllegalInputError('name', next);
    this.consent(next);
    this.current = next;
  }

  /** `consent` hears of each change before it is made, and throws to refuse it. */
  keptBy(consent: (next: string) => void): void {
    this.consent = consent;
  }
}
