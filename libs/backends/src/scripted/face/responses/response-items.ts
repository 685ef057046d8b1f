import type { JsonObject } from '#model';
import type { Plan } from '../../plan.js';
import type { PlannedCall } from '../../script.js';
import { encryptedContent, ItemIds } from './item-ids.js';
import { wantsEncrypted } from './parse-items.js';

/** The items of an answer, each as it is when it is whole. */
export class ResponseItems {
  readonly ids: ItemIds;

  constructor(
    private readonly plan: Plan,
    private readonly body: JsonObject,
  ) {
    this.ids = new ItemIds(plan);
  }

  reasoning(text: string): JsonObject {
    const id = this.ids.reasoning();
    const secret = wantsEncrypted(this.body) ? { encrypted_content: encryptedContent(this.plan.model, id) } : {};
    return { id, type: 'reasoning', summary: [summaryPart(text)], ...secret };
  }

  message(text: string, status: string): JsonObject {
    return { id: this.ids.message(), type: 'message', status, role: 'assistant', content: [textPart(text)] };
  }

  call({ id, name, raw }: PlannedCall, index: number): JsonObject {
    return { id: this.ids.call(index), type: 'function_call', status: 'completed', call_id: id, name, arguments: raw };
  }
}

export function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text };
}
