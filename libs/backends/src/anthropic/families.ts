/** What a family of models takes. */
export interface Family {
  /** `budget`: so many tokens; `adaptive`: the model decides, an effort guides it; `always`: the same, and it cannot be switched off. */
  readonly thinking: 'none' | 'budget' | 'adaptive' | 'always';
  /** Takes temperature, top_p and top_k. */
  readonly takesSampling: boolean;
  /** Of an answer, without its thinking, when nobody says how long it may be. */
  readonly answerTokens: number;
  /** The largest `max_tokens`. */
  readonly mostTokens: number;
  /** The window, in tokens, where the list of models does not tell. */
  readonly contextLength?: number;
}

const OLD: Family = { thinking: 'none', takesSampling: true, answerTokens: 4_096, mostTokens: 4_096, contextLength: 200_000 };
const BUDGET: Family = { thinking: 'budget', takesSampling: true, answerTokens: 32_000, mostTokens: 64_000, contextLength: 200_000 };
const NEW: Family = { thinking: 'adaptive', takesSampling: false, answerTokens: 32_000, mostTokens: 128_000, contextLength: 1_000_000 };
/** What others serve under this API. */
const FOREIGN: Family = { thinking: 'budget', takesSampling: true, answerTokens: 8_192, mostTokens: 32_000 };

/** The first match counts. A version is one digit or two; what is longer is a date. */
const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/claude-3[-.]5/, { ...OLD, answerTokens: 8_192, mostTokens: 8_192 }],
  [/claude-(instant|2|3(?![-.]7))/, OLD],
  [/claude-opus-4([-.]1)?(?![-.]?\d(?!\d))/, { ...BUDGET, mostTokens: 32_000 }],
  [/claude-3[-.]7|claude-sonnet-4(?![-.]\d(?!\d))|claude-[a-z]+-4[-.]5(?!\d)/, BUDGET],
  [/claude-[a-z]+-4[-.]6(?!\d)/, { ...NEW, takesSampling: true }],
  [/claude-fable-|claude-(opus|sonnet)-5[-.]5(?!\d)/, { ...NEW, thinking: 'always' }],
  [/claude-/, NEW],
];

/** A model of Anthropic's that nobody knows yet is like the newest. */
export function familyOf(model: string): Family {
  return FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ?? FOREIGN;
}
