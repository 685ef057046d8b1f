import type { ModelFacts } from '#model';

/** What a family of models takes. */
export interface Family {
  /** Thinks before it answers; undefined when nobody knows. */
  readonly reasons: boolean | undefined;
  /** Takes temperature and top_p; `unless_reasoning`: only when it is told not to think. */
  readonly sampling: 'always' | 'unless_reasoning' | 'never';
  /** Takes penalties and stop sequences. */
  readonly penalties: boolean;
  /** What reasoning_effort may be, least first; undefined: whatever is wished. */
  readonly efforts?: readonly string[];
}

/** What others serve under this API. */
const FOREIGN: Family = { reasons: undefined, sampling: 'always', penalties: true };
const CHAT: Family = { reasons: false, sampling: 'always', penalties: true, efforts: [] };
const OLD: Family = { reasons: true, sampling: 'never', penalties: false, efforts: ['low', 'medium', 'high'] };
const FIVE: Family = { ...OLD, efforts: ['minimal', 'low', 'medium', 'high'] };
const NEW: Family = { reasons: true, sampling: 'unless_reasoning', penalties: false, efforts: ['none', 'low', 'medium', 'high', 'xhigh'] };
const GROK: Family = { reasons: true, sampling: 'always', penalties: false, efforts: [] };

/** The first match counts. A router puts the provider before the name. */
const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/gpt-oss/, { reasons: true, sampling: 'always', penalties: true, efforts: ['low', 'medium', 'high'] }],
  [/gpt-[34]|gpt-5-chat|chatgpt-|search-preview/, CHAT],
  [/(^|\/)o1-mini/, { ...OLD, efforts: [] }],
  [/(^|\/)o\d/, OLD],
  [/gpt-5-pro/, { ...OLD, efforts: ['high'] }],
  [/gpt-\d\.\d+-chat/, { ...OLD, efforts: ['medium'] }],
  [/gpt-\d\.\d+-pro/, { ...OLD, efforts: ['medium', 'high', 'xhigh'] }],
  [/gpt-5(\.1)?-codex(?!-max)/, OLD],
  [/gpt-5(?![.\d])/, FIVE],
  [/gpt-5\.1(?!\d)/, { ...NEW, efforts: ['none', 'low', 'medium', 'high'] }],
  [/gpt-5\.[2-5](?!\d)/, NEW],
  [/gpt-6-astra|gpt-6\.\d+-(sol|astra)|gpt-[\d.]+-cyber/, { ...OLD, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] }],
  [/gpt-|(^|\/)chat-latest|codex/, { ...NEW, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] }],
  [/grok-3-mini/, { ...GROK, efforts: ['low', 'high'] }],
  [/grok-4\.3(?!\d)/, { ...GROK, efforts: ['none', 'low', 'medium', 'high'] }],
  [/grok-4\.[5-9](?!\d)/, { ...GROK, efforts: ['low', 'medium', 'high'] }],
  [/grok-[4-9]|grok-code/, GROK],
];

/** Of a model of OpenAI's that nobody knows yet it is said that it is like the newest; what is known of the very model wins. */
export function familyOf(model: string, { capabilities: { reasoning, efforts, temperature } = {} }: ModelFacts = {}): Family {
  const family = FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ?? FOREIGN;
  return {
    ...family,
    reasons: reasoning ?? family.reasons,
    sampling: temperature === undefined ? family.sampling : told(temperature, family),
    ...(efforts && { efforts }),
  };
}

function told(takesTemperature: boolean, { sampling }: Family): Family['sampling'] {
  if (!takesTemperature) return 'never';
  return sampling === 'never' ? 'always' : sampling;
}
