import { seal } from '../seal.js';

/** The signature of a call of this tool. */
export function callSeal(model: string, name: string): string {
  return seal(model, 'functionCall', name);
}

/** The signature of any other part. */
export function partSeal(model: string): string {
  return seal(model, 'part');
}

/** Google takes these instead of a signature, for calls that no model of its own has made. */
export const UNSIGNED: readonly string[] = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];
