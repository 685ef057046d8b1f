import { isJsonObject, type AssistantMessage, type ReplayBlock } from '#model';
import { textField } from '../wire/json-fields.js';

interface Whose {
  readonly provider: string;
  readonly model: string;
}

/** What a model has thought before it called tools; it goes on from there. */
export function thinkingBlock(thinking: string, { provider, model }: Whose): ReplayBlock {
  return { type: 'replay', provider, model, data: { type: 'thinking', thinking } };
}

/** The same of a message; empty when there is none of this provider and model. */
export function thinkingIn(content: AssistantMessage['content'], { provider, model }: Whose): string {
  const ours = content.flatMap((part) => (part.type === 'replay' && part.provider === provider && part.model === model ? [part.data] : []));
  return ours.map((data) => (isJsonObject(data) ? (textField(data, 'thinking') ?? '') : '')).join('');
}
