import type { JsonObject } from '#model';
import { textField } from '../../../wire/json-fields.js';
import type { Violation } from '../rules.js';
import { insideParts } from './parse-contents.js';

/** The first place where turns of calls and of results do not belong together. */
export function pairingViolation(contents: readonly JsonObject[]): Violation | undefined {
  let open: readonly JsonObject[] = [];
  for (const [index, content] of contents.entries()) {
    const path = `contents[${index}]`;
    const results = insideParts(content.parts, 'functionResponse');
    if (results.length > 0 && open.length === 0) return at(path, 'function response turn comes immediately after a function call turn');
    if (results.length !== open.length) return at(path, COUNT);
    const stranger = results.find((result) => !open.some((call) => belongs(result, call)));
    if (stranger)
      return at(path, `the function response ${textField(stranger, 'name') ?? ''} answers a function call of the turn before it`);
    open = insideParts(content.parts, 'functionCall');
    if (open.length > 0 && index === 0)
      return at(path, 'function call turn comes immediately after a user turn or after a function response turn');
  }
  return open.length > 0 ? at(`contents[${contents.length - 1}]`, COUNT) : undefined;
}

const COUNT = 'the number of function response parts is equal to the number of function call parts of the function call turn';

function belongs(result: JsonObject, call: JsonObject): boolean {
  const id = textField(result, 'id');
  return textField(result, 'name') === textField(call, 'name') && (id === undefined || id === textField(call, 'id'));
}

function at(path: string, what: string): Violation {
  return { path, message: `Please ensure that ${what}. (${path})` };
}
