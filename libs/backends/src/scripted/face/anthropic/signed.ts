import { seal } from '../seal.js';

/** The signature of a thinking block with this text. */
export function thinkingSeal(model: string, thinking: string): string {
  return seal(model, 'thinking', thinking);
}

/** Anthropic's ids of calls begin otherwise. */
export function toWireId(id: string): string {
  return id.replace(/^call_/, 'toolu_');
}
