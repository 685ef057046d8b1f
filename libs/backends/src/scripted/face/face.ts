import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject, ModelInfo, ModelRequest } from '#model';
import type { ScriptRefusal } from '../errors.js';
import type { InputCounts, Plan } from '../plan.js';
import type { Delta } from '../play.js';
import type { Rule } from './rules.js';

/** One provider's wire in front of the scripts. Each has a folder of its own, and one line in `faces.ts`. */
export interface Face {
  readonly name: string;
  /** Path of the base URL that its clients are given. */
  readonly base: string;
  /** What strict mode holds a body against, the first that is broken counts. */
  readonly rules: readonly Rule[];
  /** Undefined for what is not this provider's. */
  route(call: FaceCall): Route | undefined;
  /** Throws ScriptRefusal without the key. */
  checkKey(call: FaceCall, key: string): void;
  /** The body of an error, which it may say in words of its own. */
  error(refusal: ScriptRefusal): JsonObject;
  /** What it says of a body that is not a JSON object. */
  readonly notJson: string;
}

/** A request without its body. */
export interface FaceCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** What a path is for. `parse` throws ScriptRefusal for what it cannot understand; `model` is there when the path names it. */
export type Route =
  | { readonly kind: 'answer'; readonly model?: string; parse(body: JsonObject): Question }
  | { readonly kind: 'count'; readonly model?: string; parse(body: JsonObject): ModelRequest; answer(tokens: number): JsonObject }
  | { readonly kind: 'look'; answer(models: readonly ModelInfo[]): JsonObject }
  | { readonly kind: 'look up'; answer(models: readonly ModelInfo[], body: JsonObject): JsonObject };

/** A request for an answer, understood. */
export interface Question {
  readonly request: ModelRequest;
  readonly isStreaming: boolean;
  /** How the provider counts what it has been sent. Throws OverflowRefusal when it does not take that much. */
  counted(input: InputCounts, contextLength: number | undefined): InputCounts;
  speak(plan: Plan): Speech;
}

/** An answer in the provider's form. The events come in the order open, deltas, close; each is the text of one. */
export interface Speech {
  readonly contentType: string;
  open(): readonly string[];
  delta(delta: Delta): readonly string[];
  close(): readonly string[];
  /** The answer in one piece. */
  whole(): JsonObject;
  /** An event, or two, that end a stream as an error. */
  failure(error: JsonObject): string;
  /** An event in the right frame that is no JSON. */
  readonly garbage: string;
}
