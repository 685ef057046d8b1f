import { seal } from '../seal.js';

/** The signature of a thinking block with this text. */
export function thinkingSeal(model: string, thinking: string): string {
  return seal(model, 'thinking', thinking);
}

/** The data of a redacted thinking block. Scripts write none: it is for conversations that somebody has made up. */
export function redactedSeal(model: string): string {
  return seal(model, 'redacted_thinking');
}

/** Anthropic's ids of calls begin otherwise. */
export function toWireId(id: string): string {
  return id.replace(/^call_/, 'toolu_');
}
