import type { JsonObject, JsonValue, StopReason } from '#model';
import type { Matcher } from './matcher.js';
import type { Filled, Template } from './template.js';

/** A checked script. `sequence`: each reply starts looking behind the step of the last one; `any`: always from the top. */
export interface Script {
  readonly name: string;
  readonly order: 'sequence' | 'any';
  /** In tokens; a longer request is refused. Undefined: no limit. */
  readonly contextLength: number | undefined;
  readonly steps: readonly Step[];
}

export interface Step {
  /** What errors call it: `demo.yaml: step 3`. */
  readonly place: string;
  readonly label: string | undefined;
  readonly goto: string | undefined;
  readonly when: Condition;
  readonly say: Template | undefined;
  readonly think: Template | undefined;
  readonly calls: readonly ScriptedCall[];
  readonly usage: ScriptedUsage;
  readonly stop: StopReason | undefined;
  readonly stream: Pace;
  readonly fail: Failure | undefined;
}

/** All parts that are given must hold. `turn` counts user messages, `n` the requests since the last one; both from 1. */
export interface Condition {
  readonly lastUser: Matcher | undefined;
  readonly lastTool:
    { readonly name: string | undefined; readonly ok: boolean | undefined; readonly match: Matcher | undefined } | undefined;
  readonly hasTool: string | undefined;
  readonly turn: number | undefined;
  readonly n: number | undefined;
}

/** `raw` stands for the text of the arguments, malformed if it is meant to be. */
export interface ScriptedCall {
  readonly tool: string;
  readonly args: Filled;
  readonly raw: string | undefined;
}

/** Counts that replace the computed ones: uncached input, output, cache read, cache write. */
export interface ScriptedUsage {
  readonly in: number | undefined;
  readonly out: number | undefined;
  readonly read: number | undefined;
  readonly write: number | undefined;
}

/** Characters a delta (undefined: as it fits), the pause before each, and how its bytes are cut on the wire. */
export interface Pace {
  readonly chunk: number | undefined;
  readonly delayMs: number;
  /** Every byte of an answer is written by itself. */
  readonly isBytewise: boolean;
  /** Cuts the bytes at pseudo-random places; undefined: as the server is set. */
  readonly seed: number | undefined;
}

/** The first `times` requests at this place fail; the next one gets the step's reply, or that of the following step. */
export type Failure = { readonly times: number } & (StatusFailure | Break | SlowReply | EmptyReply);

/** Waits before the first byte and before each delta. */
export interface SlowReply {
  readonly kind: 'slow';
  readonly delayMs: number;
}

export interface EmptyReply {
  readonly kind: 'empty';
}

/** What `after` counts: characters of the text, or bytes or events of the answer on the wire. */
export const UNITS = ['characters', 'bytes', 'events'] as const;

/** `cut`: the connection ends in the middle; `reset`: hard; `stall`: silence; `garbage`: an event that is no JSON, then the rest. */
export interface Break {
  readonly kind: 'cut' | 'reset' | 'stall' | 'garbage';
  readonly after: number;
  readonly unit: (typeof UNITS)[number];
}

/** `body` null: the provider's own for this status. */
export interface StatusFailure {
  readonly kind: 'status';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  /** Of the error, where there is no body. */
  readonly message: string | undefined;
  /** Characters of text that a stream brings first; undefined: the refusal is all there is. */
  readonly after: number | undefined;
}

export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly raw: string;
}

/** A step that has something to answer with. */
export function isReply({ say, think, calls }: Step): boolean {
  return say !== undefined || think !== undefined || calls.length > 0;
}

export function failureText({ status, message }: StatusFailure): string {
  return message ?? `scripted failure ${status}`;
}

export function failureBody(failure: StatusFailure): JsonValue {
  const { status, body } = failure;
  return (
    body ?? {
      error: {
        message: failureText(failure),
        type: status >= 500 ? 'server_error' : 'invalid_request_error',
        param: null,
        code: null,
      },
    }
  );
}
