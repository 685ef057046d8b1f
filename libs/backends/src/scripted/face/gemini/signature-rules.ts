import type { JsonObject } from '#model';
import { textField } from '../../../wire/json-fields.js';
import { objectsIn, type Violation } from '../rules.js';
import { objectAt } from './parse-contents.js';
import { protoField } from './proto-field.js';
import { callSeal, partSeal, UNSIGNED } from './signed.js';

/** Models that want their signatures back; what others have signed must be right all the same. */
const SIGNING = /gemini-(?![12]\b)/;

/** A signature that the model has not made; or a first call of the turn under way without one. */
export function signatureViolation(contents: readonly JsonObject[], model: string): Violation | undefined {
  const current = contents.findLastIndex((content) => content.role !== 'model' && objectsIn(content.parts).some((part) => !isResult(part)));
  for (const [c, content] of contents.entries()) {
    const parts = objectsIn(content.parts);
    const first = parts.findIndex((part) => objectAt(part, 'functionCall') !== undefined);
    for (const [p, part] of parts.entries()) {
      const path = `contents[${c}].parts[${p}]`;
      const signature = protoField(part, 'thoughtSignature');
      if (signature !== undefined && !isOwn(part, signature, model)) return { path, message: `Corrupted thought signature. (${path})` };
      if (signature === undefined && p === first && c > current && SIGNING.test(model)) return missing(part, path, c);
    }
  }
  return undefined;
}

function isResult(part: JsonObject): boolean {
  return objectAt(part, 'functionResponse') !== undefined;
}

function isOwn(part: JsonObject, signature: unknown, model: string): boolean {
  const call = objectAt(part, 'functionCall');
  const own = call ? callSeal(model, textField(call, 'name') ?? '') : partSeal(model);
  return typeof signature === 'string' && (signature === own || UNSIGNED.includes(signature));
}

function missing(part: JsonObject, path: string, position: number): Violation {
  const name = textField(objectAt(part, 'functionCall'), 'name') ?? '';
  const why = 'This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.';
  const where = `function call \`${name}\`, position ${position + 1} (${path})`;
  return { path, message: `Function call is missing a thought_signature in functionCall parts. ${why} Additional data, ${where}.` };
}
