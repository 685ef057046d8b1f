/** How a model is told how much to think. */
export type Thinking =
  | { readonly by: 'none' }
  /** So many tokens; a `least` above 0 with `canBeOff` false cannot be gone below. */
  | { readonly by: 'budget'; readonly least: number; readonly most: number; readonly canBeOff: boolean }
  /** One of these, least first; the first comes nearest to none at all. */
  | { readonly by: 'level'; readonly levels: readonly string[] };

/** What a family of models takes. */
export interface Family {
  readonly thinking: Thinking;
  /** Takes temperature, topP, topK and penalties. */
  readonly takesSampling: boolean;
  /** Calls and results have ids, calls want their signatures back, and results may hold images. */
  readonly isStrict: boolean;
}

/** All that there are. */
export const LEVELS = ['minimal', 'low', 'medium', 'high'] as const;
const PLAIN: Family = { thinking: { by: 'none' }, takesSampling: true, isStrict: false };
const NEW: Family = { thinking: { by: 'level', levels: ['low', 'medium', 'high'] }, takesSampling: false, isStrict: true };

function budget(least: number, most: number, canBeOff: boolean): Family {
  return { ...PLAIN, thinking: { by: 'budget', least, most, canBeOff } };
}

function levels(...names: readonly string[]): Thinking {
  return { by: 'level', levels: names };
}

/** The first match counts. */
const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/gemini-2\.5-pro/, budget(128, 32_768, false)],
  [/gemini-2\.5-flash-lite/, budget(512, 24_576, true)],
  [/gemini-2\.5/, budget(0, 24_576, true)],
  [/gemini-robotics/, budget(0, 24_576, true)],
  [/gemini-(1|2)\b/, PLAIN],
  [/gemini-3-pro/, { ...NEW, takesSampling: true, thinking: levels('low', 'high') }],
  [/gemini-3\.[0-4]-pro/, { ...NEW, takesSampling: true }],
  [/gemini-3(\.[0-4])?(?![.\d])/, { ...NEW, takesSampling: true, thinking: levels(...LEVELS) }],
  [/gemini-3\.[56]-flash/, { ...NEW, thinking: levels(...LEVELS) }],
  [/gemini-/, NEW],
  [/gemma-?4/, { ...PLAIN, thinking: levels('minimal', 'high') }],
];

/** A Gemini that nobody knows yet is like the newest; what else is served under this API is taken for simple. */
export function familyOf(model: string): Family {
  return FAMILIES.find(([pattern]) => pattern.test(model))?.[1] ?? PLAIN;
}
