import type { AgentEvent, AgentRole, JsonValue } from '#model';

/** Takes the agent's output, in order. Must not throw; blocks do not nest. */
export type Emit = (event: AgentEvent) => void;

export type BlockAttributes = Readonly<Record<string, JsonValue>>;

/** A whole block at once. */
export function emitBlock(emit: Emit, role: AgentRole, text: string, attributes: BlockAttributes = {}): void {
  emit({ type: 'begin', role, attributes });
  if (text !== '') emit({ type: 'delta', text });
  emit({ type: 'end' });
}
