import { isJsonObject, type JsonObject } from '#model';
import { numberField, objectField, textField } from '../../../wire/json-fields.js';
import { objectsIn, type Rule, type Violation } from '../rules.js';
import { blocksOf } from './parse-messages.js';

const LEAST_BUDGET = 1024;
const LEAST_TOP_P = 0.95;
const TYPES = ['adaptive', 'enabled', 'disabled', 'between_tools'];

/** What thinking, sampling and forced tools allow each other. */
export const thinkingRules: readonly Rule[] = [
  { wants: 'a known way to think', find: ({ body }) => (body.thinking === undefined ? undefined : typeViolation(body)) },
  { wants: 'a budget from 1024, below max_tokens', find: ({ body }) => budgetViolation(body) },
  { wants: 'a turn under way that begins with thinking, where there is a budget for it', find: ({ body }) => turnViolation(body) },
  { wants: 'sampling parameters in their ranges', find: ({ body }) => rangeViolation(body) },
  { wants: 'no sampling while thinking', find: ({ body }) => (thinks(body) ? samplingViolation(body) : undefined) },
  {
    wants: 'no forced tool while thinking',
    find: ({ body }) =>
      thinks(body) && ['any', 'tool'].includes(textField(objectField(body, 'tool_choice'), 'type') ?? '')
        ? { path: 'tool_choice', message: 'Thinking may not be enabled when tool_choice forces tool use. (tool_choice)' }
        : undefined,
  },
];

function thinks(body: JsonObject): boolean {
  const type = objectField(body, 'thinking')?.type;
  return type !== undefined && type !== 'disabled';
}

function typeViolation({ thinking }: JsonObject): Violation | undefined {
  const type = isJsonObject(thinking) ? textField(thinking, 'type') : undefined;
  if (type !== undefined && TYPES.includes(type)) return undefined;
  const list = TYPES.map((one) => `'${one}'`).join(', ');
  return at('thinking', `Input tag '${type ?? ''}' found using 'type' does not match any of the expected tags: ${list}`);
}

function budgetViolation(body: JsonObject): Violation | undefined {
  const thinking = objectField(body, 'thinking');
  if (thinking?.type !== 'enabled') return undefined;
  const path = 'thinking.enabled.budget_tokens';
  const budget = numberField(thinking, 'budget_tokens');
  if (budget === undefined) return at(path, 'Field required');
  if (budget < LEAST_BUDGET) return at(path, `Input should be greater than or equal to ${LEAST_BUDGET}`);
  const isBelow = budget < (numberField(body, 'max_tokens') ?? Infinity);
  return isBelow ? undefined : { path, message: '`max_tokens` must be greater than `thinking.budget_tokens`.' };
}

/** Of the turn under way the first message counts: without a budget between calls the others hold no thinking. */
function turnViolation(body: JsonObject): Violation | undefined {
  if (objectField(body, 'thinking')?.type !== 'enabled') return undefined;
  const messages = objectsIn(body.messages);
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && blocksOf(content).some(({ type }) => type !== 'tool_result'),
  );
  const [first] = blocksOf(messages[asked + 1]?.content ?? []);
  if (first === undefined || first.type === 'thinking' || first.type === 'redacted_thinking') return undefined;
  const why = 'When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
  return at(
    `messages.${asked + 1}.content.0.type`,
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${textField(first, 'type') ?? ''}\`. ${why}`,
  );
}

function rangeViolation(body: JsonObject): Violation | undefined {
  for (const field of ['temperature', 'top_p']) {
    const value = numberField(body, field);
    if (value !== undefined && (value < 0 || value > 1)) return at(field, 'range: 0..1');
  }
  return undefined;
}

function samplingViolation(body: JsonObject): Violation | undefined {
  const { temperature, top_k: topK } = body;
  const topP = numberField(body, 'top_p');
  if (temperature !== undefined && temperature !== 1)
    return { path: 'temperature', message: '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.' };
  if (topK !== undefined) return { path: 'top_k', message: '`top_k` must be unset when thinking is enabled or in adaptive mode.' };
  if (topP === undefined || topP >= LEAST_TOP_P) return undefined;
  return { path: 'top_p', message: '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.' };
}

function at(path: string, why: string): Violation {
  return { path, message: `${path}: ${why}` };
}
