import type { JsonObject } from '#model';
import { OverflowRefusal, ScriptRefusal } from '../../errors.js';
import { fitting } from '../../scripted-model.js';
import type { Face, FaceCall, Question, Route } from '../face.js';
import { checkBearer, modelsRoute, NOT_JSON, openaiError } from '../openai-form.js';
import { parseItems } from './parse-items.js';
import { ResponseSpeech } from './response-speech.js';
import { responsesRules } from './responses-rules.js';

const PATH = /^(?:\/api)?(?:\/v1)?\/responses$/;

/** OpenAI responses. Nothing is stored: the conversation comes with each request. */
export const responsesFace: Face = {
  name: 'responses',
  base: '/v1',
  rules: responsesRules,
  route,
  checkKey: checkBearer,
  error,
  notJson: NOT_JSON,
};

function route(call: FaceCall): Route | undefined {
  if (call.method === 'POST' && PATH.test(call.path)) return { kind: 'answer', parse: questionIn };
  return modelsRoute(call);
}

function questionIn(body: JsonObject): Question {
  return {
    request: parseItems(body),
    isStreaming: body.stream === true,
    counted: fitting,
    speak: (plan) => new ResponseSpeech(plan, body),
  };
}

function error(refusal: ScriptRefusal): JsonObject {
  if (!(refusal instanceof OverflowRefusal)) return openaiError(refusal);
  const { tokens, contextLength } = refusal;
  const text = `Your input exceeds the context window of this model (${contextLength} tokens, ${tokens} sent). Please adjust your input and try again.`;
  return openaiError(new ScriptRefusal(text, 400, 'context_length_exceeded', 'input'));
}
