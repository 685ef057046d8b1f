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

/** Characters a delta (undefined: as it fits) and the pause before each. */
export interface Pace {
  readonly chunk: number | undefined;
  readonly delayMs: number;
}

/** The first `times` requests at this place fail; the next one gets the step's reply, or that of the following step. */
export type Failure = { readonly times: number } & (
  StatusFailure | { readonly kind: 'cut' | 'stall'; readonly after: number } | { readonly kind: 'empty' }
);

/** `body` null: an error body that suits the status. */
export interface StatusFailure {
  readonly kind: 'status';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
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

export function failureBody({ status, body }: StatusFailure): JsonValue {
  return (
    body ?? {
      error: {
        message: `scripted failure ${status}`,
        type: status >= 500 ? 'server_error' : 'invalid_request_error',
        param: null,
        code: null,
      },
    }
  );
}
