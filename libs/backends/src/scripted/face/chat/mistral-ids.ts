import { createHash } from 'node:crypto';
import type { JsonObject } from '#model';
import { textField } from '../../../wire/json-fields.js';
import { invalid } from '../openai-rules.js';
import { firstIn, type Seen, type Violation } from '../rules.js';

const MISTRAL = /(?:mi|magi|code|dev|mini|pix|vox)stral|mixtral|pixtral/i;
const NINE = /^[a-zA-Z0-9]{9}$/;
const LENGTH = 9;

/** The id of a call as the model gives it: those of Mistral have a form of their own. */
export function idFrom(model: string, id: string): string {
  return MISTRAL.test(model) ? createHash('sha256').update(id).digest('hex').slice(0, LENGTH) : id;
}

/** The first id that Mistral does not take; undefined for other models. */
export function mistralViolation({ body, model }: Seen): Violation | undefined {
  if (!MISTRAL.test(model)) return undefined;
  return firstIn(body.messages, (message, m) => {
    const inCalls = firstIn(message.tool_calls, (call: JsonObject, c) =>
      idViolation(textField(call, 'id'), `messages[${m}].tool_calls[${c}].id`),
    );
    return inCalls ?? idViolation(textField(message, 'tool_call_id'), `messages[${m}].tool_call_id`);
  });
}

function idViolation(id: string | undefined, path: string): Violation | undefined {
  if (id === undefined || NINE.test(id)) return undefined;
  return invalid(path, `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9. (${path})`, '');
}
