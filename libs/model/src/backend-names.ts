/** Every backend that there is, in the order in which `backends` lists those that are configured. */
export const BACKEND_NAMES = ['ollama', 'openai', 'openrouter', 'anthropic', 'gemini', 'copilot', 'kiro', 'scripted'] as const;

export type BackendName = (typeof BACKEND_NAMES)[number];
