import { BACKEND_NAMES, type BackendName } from '#model';
import { anthropicDefinition } from './anthropic/definition.js';
import type { BackendDefinition } from './backend-definition.js';
import { copilotDefinition } from './copilot/definition.js';
import { geminiDefinition } from './gemini/definition.js';
import { kiroDefinition } from './kiro/definition.js';
import { ollamaDefinition } from './ollama/definition.js';
import { openaiDefinition } from './openai/definition.js';
import { openrouterDefinition } from './openai/openrouter-definition.js';
import { scriptedDefinition } from './scripted/definition.js';

const byName: Readonly<Record<BackendName, BackendDefinition>> = {
  ollama: ollamaDefinition,
  openai: openaiDefinition,
  openrouter: openrouterDefinition,
  anthropic: anthropicDefinition,
  gemini: geminiDefinition,
  copilot: copilotDefinition,
  kiro: kiroDefinition,
  scripted: scriptedDefinition,
};

/** Every kind of backend, in the order in which `backends` lists them. */
export const definitions: readonly BackendDefinition[] = BACKEND_NAMES.map((name) => byName[name]);
