import type { JsonObject } from '#model';
import { textField } from '../../../wire/json-fields.js';
import { invalid } from '../openai-rules.js';
import type { Violation } from '../rules.js';

/** The first call without an output behind it, or output without a call before it. */
export function pairingViolation(items: readonly JsonObject[]): Violation | undefined {
  const open = new Map<string, number>();
  const answered = new Set<string>();
  for (const [index, item] of items.entries()) {
    const id = textField(item, 'call_id') ?? '';
    const path = `input[${index}]`;
    if (item.type === 'function_call') {
      if (open.has(id) || answered.has(id)) return invalid(`${path}.call_id`, `Duplicate function call id ${id}. (${path})`);
      open.set(id, index);
    } else if (item.type === 'function_call_output') {
      if (!open.delete(id)) return invalid(path, `No tool call found for function call output with call_id ${id}. (${path})`, '');
      answered.add(id);
    } else if (open.size > 0 && item.role === 'user') return unanswered(open);
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

function unanswered(open: ReadonlyMap<string, number>): Violation {
  const [[id, index] = ['', 0]] = open;
  return invalid(`input[${index}]`, `No tool output found for function call ${id}. (input[${index}])`, '');
}
