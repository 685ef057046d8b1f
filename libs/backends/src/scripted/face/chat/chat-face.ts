import { fitting } from '../../scripted-model.js';
import type { Face, FaceCall, Route } from '../face.js';
import { checkBearer, modelsRoute, NOT_JSON, openaiError } from '../openai-form.js';
import { chatRules } from './chat-rules.js';
import { ChatSpeech } from './chat-speech.js';
import { parseChat } from './parse-chat.js';

const PATH = /^(?:\/api)?(?:\/v1)?\/chat\/completions$/;

/** OpenAI chat completions, and what is compatible with them. */
export const chatFace: Face = {
  name: 'openai',
  base: '/v1',
  rules: chatRules,
  route,
  checkKey: checkBearer,
  error: openaiError,
  notJson: NOT_JSON,
};

function route(call: FaceCall): Route | undefined {
  if (call.method !== 'POST' || !PATH.test(call.path)) return modelsRoute(call);
  return {
    kind: 'answer',
    parse(body) {
      const { request, isStreaming, wantsUsage } = parseChat(body);
      return { request, isStreaming, counted: fitting, speak: (plan) => new ChatSpeech(plan, wantsUsage) };
    },
  };
}
