import type { JsonObject, JsonValue } from '#model';
import { textField } from '../../../wire/json-fields.js';
import { invalid } from '../openai-rules.js';
import { objectsIn, type Violation } from '../rules.js';

/** The first place where calls and results do not belong together. */
export function pairingViolation(messages: JsonValue | undefined): Violation | undefined {
  let open: readonly string[] = [];
  let callsAt = 0;
  for (const [index, message] of objectsIn(messages).entries()) {
    if (message.role === 'tool') {
      const path = `messages[${index}]`;
      const id = textField(message, 'tool_call_id');
      if (id === undefined)
        return invalid(
          `${path}.tool_call_id`,
          `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'. (${path})`,
          '',
        );
      if (!open.includes(id)) return orphan(path, id);
      open = open.filter((one) => one !== id);
    } else {
      if (open.length > 0) return unanswered(callsAt, open);
      open = idsOf(message);
      callsAt = index;
    }
  }
  return open.length > 0 ? unanswered(callsAt, open) : undefined;
}

function idsOf(message: JsonObject): readonly string[] {
  return message.role === 'assistant' ? objectsIn(message.tool_calls).map((call) => textField(call, 'id') ?? '') : [];
}

function orphan(path: string, id: string): Violation {
  const why = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
  return invalid(`${path}.role`, `Invalid parameter: ${why} (${path}: ${id})`, '');
}

function unanswered(index: number, ids: readonly string[]): Violation {
  const path = `messages[${index}].tool_calls`;
  const why = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  return invalid(path, `${why} The following tool_call_ids did not have response messages: ${ids.join(', ')} (${path})`, '');
}
