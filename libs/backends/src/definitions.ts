import type { BackendDefinition } from './backend-definition.js';
import { openaiDefinition } from './openai/definition.js';
import { scriptedDefinition } from './scripted/definition.js';

/** Every kind of backend, in the order in which `backends` lists them. */
export const definitions: readonly BackendDefinition[] = [openaiDefinition, scriptedDefinition];
