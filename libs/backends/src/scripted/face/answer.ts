import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConfigError } from '#config';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import { isTooDeep, mayBeTooDeep } from '../../wire/json-depth.js';
import { textField } from '../../wire/json-fields.js';
import { ScriptRefusal } from '../errors.js';
import type { ScriptedModel } from '../scripted-model.js';
import type { Cuts } from './cutter.js';
import type { Face, FaceCall } from './face.js';
import { faceOf } from './faces.js';
import { readBody } from './read-body.js';
import type { Rule, Seen } from './rules.js';
import type { SeenRequest } from './seen-request.js';
import { sendAnswer } from './send-answer.js';
import { sendBody } from './send-body.js';

/** What all requests of a server share. */
export interface Serving {
  readonly model: ScriptedModel;
  readonly isStrict: boolean;
  readonly key: string | undefined;
  readonly cuts: Cuts;
  seen(request: SeenRequest): void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The boundary of one request: what it throws becomes its answer, and one answer never ends the server. */
export async function answer(exchange: Exchange, serving: Serving): Promise<void> {
  const { request, response } = exchange;
  const call = callOf(request);
  const face = faceOf(call);
  try {
    await respond(call, { face, exchange, serving });
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else sendError(response, face, error);
  }
}

function callOf({ method = '', url = '', headers }: IncomingMessage): FaceCall {
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  return { method, path, query: new URLSearchParams(query), headers };
}

interface Responding {
  readonly face: Face | undefined;
  readonly exchange: Exchange;
  readonly serving: Serving;
}

async function respond(call: FaceCall, { face, exchange, serving }: Responding): Promise<void> {
  const { request, response } = exchange;
  const text = await readBody(request);
  const { method, headers } = call;
  serving.seen({ method, path: request.url ?? '', headers, body: text });
  const route = face?.route(call);
  if (!face || !route) throw new ScriptRefusal(`Invalid URL (${method} ${call.path})`, 404, 'not_found');
  if (serving.key !== undefined) face.checkKey(call, serving.key);
  if (route.kind === 'look') return sendBody(response, 200, route.answer(serving.model.models()));
  const body = objectIn(text, face);
  if (route.kind === 'look up') return sendBody(response, 200, route.answer(serving.model.models(), body));
  if (serving.isStrict) hold(face.rules, { kind: route.kind, body, headers, model: route.model ?? textField(body, 'model') ?? '' });
  if (route.kind === 'count') return sendBody(response, 200, route.answer(serving.model.count(route.parse(body))));
  const question = route.parse(body);
  const plan = serving.model.reply(question.request, (input, contextLength) => question.counted(input, contextLength));
  await sendAnswer(plan, { face, question, response, cuts: serving.cuts });
}

function objectIn(text: string, { notJson }: Face): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value) && !(mayBeTooDeep(text) && isTooDeep(value))) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ScriptRefusal(notJson);
}

function hold(rules: readonly Rule[], seen: Seen): void {
  for (const rule of rules) {
    const found = rule.find(seen);
    if (found) throw new ScriptRefusal(found.message, 400, found.code, found.path);
  }
}

function sendError(response: ServerResponse, face: Face | undefined, error: unknown): void {
  const refusal = refusalOf(error);
  sendBody(response, refusal.status, face ? face.error(refusal) : refusal.body);
}

function refusalOf(error: unknown): ScriptRefusal {
  if (error instanceof ScriptRefusal) return error;
  return new ScriptRefusal(error instanceof ConfigError ? error.message : `internal error: ${String(error)}`, 500, 'server_error');
}
