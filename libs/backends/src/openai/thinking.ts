import type { GenerationParams, JsonObject } from '#model';
import type { Quirks } from './quirks.js';

/** What is wished of a model's thinking. */
interface Wish {
  /** Undefined = as the model likes. */
  readonly isOn: boolean | undefined;
  readonly effort: string | undefined;
  /** In tokens. */
  readonly budget: number | undefined;
  readonly isShown: boolean | undefined;
}

const SWITCHES: Readonly<Record<Quirks['thinking'], (wish: Wish) => JsonObject>> = {
  effort: ({ effort }) => given('reasoning_effort', effort),
  reasoning: openRouter,
  'reasoning.enabled': (wish) => ({ ...whenSaid(wish, (isOn) => ({ reasoning: { enabled: isOn } })), ...beside(wish) }),
  'thinking.type': (wish) => ({
    ...whenSaid(wish, (isOn) => ({ thinking: { type: isOn ? 'enabled' : 'disabled' } })),
    ...beside(wish),
  }),
  enable_thinking: (wish) => ({
    ...whenSaid(wish, (isOn) => ({ enable_thinking: isOn })),
    ...(wish.isOn === true ? given('thinking_budget', wish.budget) : {}),
  }),
  chat_template_kwargs: (wish) => ({
    ...whenSaid(wish, (isOn) => ({ chat_template_kwargs: { enable_thinking: isOn } })),
    ...beside(wish),
  }),
  none: () => ({}),
};

/** The fields that tell a server of what is wished; none when nothing is. `effort` is one that the model takes. */
export function thinkingFields(kind: Quirks['thinking'], params: GenerationParams, effort: string | undefined): JsonObject {
  const { thinkingBudget: budget, includeReasoning: isShown } = params;
  return SWITCHES[kind]({ isOn: isWished(effort, budget), effort, budget, isShown });
}

function isWished(effort: string | undefined, budget: number | undefined): boolean | undefined {
  if (effort !== undefined) return effort !== 'none';
  return budget === undefined ? undefined : budget > 0;
}

function whenSaid({ isOn }: Wish, fields: (isOn: boolean) => JsonObject): JsonObject {
  return isOn === undefined ? {} : fields(isOn);
}

function beside({ isOn, effort }: Wish): JsonObject {
  return isOn === true ? given('reasoning_effort', effort) : {};
}

/** Either an effort or a number of tokens. */
function openRouter({ isOn, effort, budget, isShown }: Wish): JsonObject {
  const amount = effort === undefined && isOn === true ? given('max_tokens', budget) : given('effort', effort);
  const fields = { ...amount, ...(isShown === false ? { exclude: true } : {}) };
  const isEmpty = Object.keys(fields).length === 0;
  if (isEmpty) return isShown === true ? { reasoning: { enabled: true } } : {};
  return { reasoning: fields };
}

function given(key: string, value: string | number | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}
