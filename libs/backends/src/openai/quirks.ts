import type { GenerationParams, JsonObject } from '#model';

/**
 * Where a server is told whether to think, and how much. `effort`: reasoning_effort; `reasoning`: its effort or max_tokens;
 * `reasoning.enabled` and `thinking.type`: on or off, with reasoning_effort beside; `enable_thinking`: on or off, with
 * thinking_budget beside; `chat_template_kwargs`: its enable_thinking, with reasoning_effort beside.
 */
export const THINKING_SWITCHES = [
  'effort',
  'reasoning',
  'reasoning.enabled',
  'thinking.type',
  'enable_thinking',
  'chat_template_kwargs',
  'none',
] as const;

/** `any`: as they are; `short`: at most 40 characters; `nine`: nine letters and digits. */
export const TOOL_ID_FORMS = ['any', 'short', 'nine'] as const;

export const SYSTEM_ROLES = ['system', 'developer'] as const;

/** Where images of tool results go: into a user message behind them, into the result, nowhere. */
export const TOOL_IMAGES = ['user_message', 'tool_message', 'none'] as const;

/** The field of an assistant message in which the server wants its reasoning back; beside `reasoning_opaque` its text in reasoning_text. */
export const REPLAY_FIELDS = ['reasoning_details', 'reasoning_content', 'reasoning_opaque', 'none'] as const;

/** What servers that speak chat completions differ in, as data. */
export interface Quirks {
  /** What a parameter is called on the wire where it is not called as usual; null = the server does not take it. */
  readonly parameters: Readonly<Partial<Record<keyof GenerationParams, string | null>>>;
  readonly thinking: (typeof THINKING_SWITCHES)[number];
  /** Of the system text, for models that reason. */
  readonly systemRole: (typeof SYSTEM_ROLES)[number];
  /** Of the calls that go back. */
  readonly toolIds: (typeof TOOL_ID_FORMS)[number];
  readonly toolImages: (typeof TOOL_IMAGES)[number];
  readonly replay: (typeof REPLAY_FIELDS)[number];
  /** Whether prompts for models of Anthropic get marks that say how far they may be cached. */
  readonly cacheMarks: boolean;
  /** Whether prompt_cache_key says which conversation a request belongs to. */
  readonly promptCacheKey: boolean;
  /** Whether stream_options asks for the usage. */
  readonly streamUsage: boolean;
  /** Fields of every body; one of them replaces what would be sent by that name. */
  readonly body: JsonObject;
}

/** Servers that are known by name. */
export const PRESET_NAMES = [
  'compatible',
  'openai',
  'openrouter',
  'llama.cpp',
  'vllm',
  'lmstudio',
  'deepseek',
  'mistral',
  'groq',
  'xai',
  'together',
  'moonshot',
  'zai',
  'copilot',
  'qwen',
] as const;

export type PresetName = (typeof PRESET_NAMES)[number];

/** `quirks` of a backend in config.json: a preset (default: by the host of the URL), and what is otherwise than there. */
export interface QuirkSettings extends Partial<Quirks> {
  readonly preset?: PresetName;
}
