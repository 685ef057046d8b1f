import type { JsonObject, Message, ModelRequest } from '#model';
import { numberField, textField } from '../wire/json-fields.js';

/** Longer than this for each token of the window a prompt hardly fits. */
const FITTING_CHARACTERS = 4;
/** Longer than this for each token no prompt is. */
const MOST_CHARACTERS = 6;

/**
 * What to tell the user when a server has run out of its window and has not said so; undefined when it has not. Servers
 * that cannot refuse what does not fit leave out its beginning.
 */
export function windowWarning(
  last: JsonObject,
  { request, numCtx }: { readonly request: ModelRequest; readonly numCtx: number },
): string | undefined {
  const [prompt, output = 0] = [numberField(last, 'prompt_eval_count'), numberField(last, 'eval_count')];
  const advice = `the model runs with a window of ${numCtx} tokens (OLLIE_OLLAMA_NUM_CTX)`;
  if (isCut(request, prompt, numCtx)) return `the beginning of the conversation was probably left out: ${advice}`;
  const isFull = prompt !== undefined && prompt + output >= numCtx - 1;
  return isFull && textField(last, 'done_reason') === 'length' ? `the answer ends where the window is full: ${advice}` : undefined;
}

/** A small count may only mean that the beginning was in the cache; so the text must be too long for the window as well. */
function isCut(request: ModelRequest, prompt: number | undefined, numCtx: number): boolean {
  if (prompt !== undefined && prompt >= numCtx - 1) return true;
  const characters = charactersIn(request);
  if (prompt === undefined) return characters > numCtx * MOST_CHARACTERS;
  return characters > numCtx * FITTING_CHARACTERS && characters > prompt * MOST_CHARACTERS;
}

function charactersIn({ system, messages, tools }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + messageCharacters(message), system.length + JSON.stringify(tools).length);
}

function messageCharacters(message: Message): number {
  const text = message.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  return calls.reduce((sum, { rawArguments }) => sum + rawArguments.length, text);
}
