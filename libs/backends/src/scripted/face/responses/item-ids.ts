import { createHash } from 'node:crypto';
import type { Plan } from '../../plan.js';
import { seal } from '../seal.js';

const MARK_CHARACTERS = 24;

/** The ids of the items of one answer. Those of an answer with reasoning tell which, so that its calls are known without it. */
export class ItemIds {
  private readonly mark: string;

  constructor({ id, model, think, calls, text }: Plan) {
    const facts = JSON.stringify([id, model, think, text, calls.map((call) => call.raw)]);
    const digest = createHash('sha256').update(facts).digest('hex').slice(0, MARK_CHARACTERS);
    this.mark = `${think === '' ? 'p' : 'r'}${digest}`;
  }

  reasoning(): string {
    return `rs_${this.mark}`;
  }

  message(): string {
    return `msg_${this.mark}`;
  }

  call(index: number): string {
    return `fc_${this.mark}_${index}`;
  }

  response(): string {
    return `resp_${this.mark}`;
  }
}

/** The id of the reasoning that came before an item of a script; undefined for another id, or when there was none. */
export function reasoningBefore(id: string): string | undefined {
  const [, mark] = /^(?:fc|msg)_(r[0-9a-f]{24})(?:_\d+)?$/.exec(id) ?? [];
  return mark === undefined ? undefined : `rs_${mark}`;
}

/** An id that a script has given to reasoning. */
export function isReasoningId(id: string): boolean {
  return /^rs_r[0-9a-f]{24}$/.test(id);
}

/** What stands for encrypted reasoning. */
export function encryptedContent(model: string, id: string): string {
  return `gAAAA${seal(model, 'reasoning', id)}`;
}
