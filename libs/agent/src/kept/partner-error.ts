import { PartnerError } from '#model';
import { StoreError } from '#store';

/** What the store says, as the rest of the program says it. */
export function partnerError(error: unknown): unknown {
  return error instanceof StoreError ? new PartnerError(error.message.replace(/^i\/o error: /, ''), { cause: error }) : error;
}
