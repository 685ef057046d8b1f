import { LostConnectionError, type PartnerError } from '#model';

/** What a model is told of a tool server that failed. The text of a lost connection is the contract's (3.2). */
export function partnerText(error: PartnerError): string {
  return error instanceof LostConnectionError ? 'toolsrv connection lost' : error.message;
}
