import type { Backend, Message, ReplayBlock, StreamEvent, ToolCall, ToolMessage } from '#model';
import { collect } from './ask-backend.js';

const shell = { name: 'shell', description: 'runs', parameters: { type: 'object' } };

export const smallImage = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

/** One answer, and what an agent keeps of it. */
export interface ShellAnswer {
  readonly events: readonly StreamEvent[];
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly replayed: readonly ReplayBlock[];
}

/** A model that thinks and may call `shell`. */
export async function askWithShell(backend: Backend, model: string, messages: readonly Message[]): Promise<ShellAnswer> {
  const events = await collect(backend, { model, system: 'be good', messages, tools: [shell], params: { reasoningEffort: 'high' } });
  return {
    events,
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : [])),
    replayed: events.flatMap((event) => (event.type === 'replay' ? [event.block] : [])),
  };
}

/** Asks for calls, with an image. */
export const questionForCalls: Message = { role: 'user', content: [{ type: 'text', text: 'call' }, smallImage] };

/** Each call said `ok`, and showed what `more` holds. */
export function okResults(calls: readonly ToolCall[], ...more: ToolMessage['content']): readonly Message[] {
  return calls.map(({ id, name }) => ({
    role: 'tool',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text: 'ok' }, ...more],
    isError: false,
  }));
}
