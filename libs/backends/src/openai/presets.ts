import type { PresetName, Quirks } from './quirks.js';

/** What only some servers take beside OpenAI's own parameters. */
const NO_EXTRAS = { topK: null, minP: null, topA: null, repetitionPenalty: null, includeReasoning: null };
const MAX_TOKENS = { maxTokens: 'max_tokens', maxCompletionTokens: 'max_tokens' };
const MAX_COMPLETION_TOKENS = { maxTokens: 'max_completion_tokens', maxCompletionTokens: 'max_completion_tokens' };

/** A server of which nothing is known. */
const COMPATIBLE: Quirks = {
  parameters: {},
  thinking: 'effort',
  systemRole: 'system',
  toolIds: 'any',
  toolImages: 'user_message',
  replay: 'none',
  cacheMarks: false,
  promptCacheKey: false,
  streamUsage: true,
  body: {},
};

export const presets: Readonly<Record<PresetName, Quirks>> = {
  compatible: COMPATIBLE,
  openai: {
    ...COMPATIBLE,
    parameters: { ...NO_EXTRAS, ...MAX_COMPLETION_TOKENS },
    systemRole: 'developer',
    toolIds: 'short',
    promptCacheKey: true,
  },
  openrouter: {
    ...COMPATIBLE,
    parameters: { ...MAX_TOKENS, includeReasoning: null },
    thinking: 'reasoning',
    replay: 'reasoning_details',
    cacheMarks: true,
  },
  'llama.cpp': {
    ...COMPATIBLE,
    parameters: { ...MAX_TOKENS, topA: null, includeReasoning: null, repetitionPenalty: 'repeat_penalty' },
    thinking: 'chat_template_kwargs',
  },
  vllm: { ...COMPATIBLE, parameters: { ...MAX_COMPLETION_TOKENS, topA: null }, thinking: 'chat_template_kwargs' },
  lmstudio: { ...COMPATIBLE, parameters: { ...MAX_TOKENS, topA: null, includeReasoning: null, repetitionPenalty: 'repeat_penalty' } },
  deepseek: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_TOKENS }, thinking: 'thinking.type', replay: 'reasoning_content' },
  mistral: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_TOKENS, verbosity: null }, toolIds: 'nine', streamUsage: false },
  groq: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_COMPLETION_TOKENS, verbosity: null, includeReasoning: 'include_reasoning' } },
  xai: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_COMPLETION_TOKENS, verbosity: null } },
  together: { ...COMPATIBLE, parameters: { ...MAX_TOKENS, topA: null, includeReasoning: null }, thinking: 'reasoning.enabled' },
  moonshot: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_TOKENS }, thinking: 'thinking.type', replay: 'reasoning_content' },
  zai: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_TOKENS }, thinking: 'thinking.type', replay: 'reasoning_content' },
  copilot: { ...COMPATIBLE, parameters: { ...NO_EXTRAS, ...MAX_TOKENS }, replay: 'reasoning_opaque' },
  qwen: { ...COMPATIBLE, parameters: { ...MAX_TOKENS, minP: null, topA: null, includeReasoning: null }, thinking: 'enable_thinking' },
};

/** By the end of a host's name; what stands before it is a subdomain. */
const HOSTS: Readonly<Record<string, PresetName>> = {
  'api.openai.com': 'openai',
  'openrouter.ai': 'openrouter',
  'api.deepseek.com': 'deepseek',
  'api.mistral.ai': 'mistral',
  'api.groq.com': 'groq',
  'api.x.ai': 'xai',
  'api.together.xyz': 'together',
  'api.together.ai': 'together',
  'api.moonshot.ai': 'moonshot',
  'api.moonshot.cn': 'moonshot',
  'api.z.ai': 'zai',
  'open.bigmodel.cn': 'zai',
  'githubcopilot.com': 'copilot',
  'dashscope.aliyuncs.com': 'qwen',
  'dashscope-intl.aliyuncs.com': 'qwen',
};

/** What is at a URL; undefined is OpenAI itself. */
export function presetAt(baseUrl: string | undefined): PresetName {
  if (baseUrl === undefined) return 'openai';
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const known = Object.keys(HOSTS).find((end) => host === end || host.endsWith(`.${end}`));
  return (known === undefined ? undefined : HOSTS[known]) ?? 'compatible';
}
