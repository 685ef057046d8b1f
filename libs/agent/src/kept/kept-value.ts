import type { ReplacedBytes } from '#store';
import { partnerError } from './partner-error.js';

/** A value that outlives the process; without a file it does not. Throws PartnerError. */
export class KeptValue {
  constructor(private readonly file: ReplacedBytes | undefined) {}

  /** What an earlier process has left. */
  read(): Uint8Array | undefined {
    try {
      return this.file?.read();
    } catch (error) {
      throw partnerError(error);
    }
  }

  /** Is on the disk when this returns. */
  keep(bytes: Uint8Array): void {
    try {
      this.file?.replace(bytes);
    } catch (error) {
      throw partnerError(error);
    }
  }
}
