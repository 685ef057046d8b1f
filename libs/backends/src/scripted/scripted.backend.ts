import { ConfigError } from '#config';
import {
  AbortedError,
  Backend,
  RequestError,
  TransientError,
  type BackendError,
  type ModelInfo,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { readArguments } from '../wire/read-arguments.js';
import { classify } from '../wire/classify.js';
import { Exchange, type Patience } from '../wire/exchange.js';
import { failureOfEnd } from '../wire/failure-of-end.js';
import { ScriptRefusal } from './errors.js';
import type { Plan } from './plan.js';
import { play, type Fault } from './play.js';
import { failureBody, type StatusFailure } from './script.js';
import type { ScriptedModel } from './scripted-model.js';

const PATIENCE: Patience = { idleMs: 180_000, progressMs: 180_000 };
const BACKEND = 'scripted';

/** Plays scripts inside the process. Refuses what a real provider refuses; fails as one where a script says so. */
export class ScriptedBackend extends Backend {
  readonly name = BACKEND;
  private listed: readonly ModelInfo[] | undefined;

  constructor(
    private readonly model: ScriptedModel,
    readonly defaultModel: string,
    private readonly patience: Patience = PATIENCE,
  ) {
    super();
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    if (signal.aborted) throw new AbortedError(`${BACKEND}: aborted`, { backend: BACKEND, kind: 'aborted' });
    const plan = this.plan(request);
    const exchange = new Exchange(this.patience, signal);
    try {
      yield { type: 'start', responseId: plan.id };
      yield* deltas(plan, exchange);
      yield* ending(plan);
    } finally {
      exchange.close();
    }
  }

  async models(): Promise<readonly ModelInfo[]> {
    return (this.listed ??= this.model.models());
  }

  invalidate(): void {
    this.listed = undefined;
  }

  private plan(request: ModelRequest): Plan {
    try {
      const plan = this.model.plan(request);
      if (plan.fail?.kind !== 'status' || plan.fail.after !== undefined) return plan;
      throw statusError(plan.fail);
    } catch (error) {
      if (error instanceof ScriptRefusal) throw classify({ backend: BACKEND, status: error.status, body: error.body, secret: undefined });
      if (error instanceof ConfigError) throw new RequestError(`${BACKEND}: ${error.message}`, { backend: BACKEND, kind: 'script' });
      throw error;
    }
  }
}

async function* deltas(plan: Plan, exchange: Exchange): AsyncGenerator<StreamEvent> {
  try {
    for await (const played of play(plan, exchange.signal)) {
      if (played.type !== 'fault') yield played;
      else if (played.fault.kind === 'stall') await exchange.wait(untilAborted(exchange.signal));
      else throw errorOf(played.fault);
    }
  } catch (error) {
    throw failureOfEnd(exchange, BACKEND) ?? error;
  }
}

function ending({ calls, stop, usage, id }: Plan): readonly StreamEvent[] {
  const given = stop === 'tool_calls' ? calls : [];
  return [
    ...given.map((call): StreamEvent => ({ type: 'toolCall', call: { id: call.id, name: call.name, ...readArguments(call.raw) } })),
    { type: 'usage', usage },
    { type: 'done', stop, responseId: id },
  ];
}

function errorOf(fault: Fault): BackendError {
  if (fault.kind === 'status') return statusError(fault);
  if (fault.kind === 'garbage') return new TransientError(`${BACKEND}: answer is not JSON`, { backend: BACKEND, kind: 'malformed' });
  return new TransientError(`${BACKEND}: connection lost`, { backend: BACKEND, kind: 'stream_drop' });
}

function statusError(failure: StatusFailure): BackendError {
  const { status } = failure;
  return classify({ backend: BACKEND, status, headers: new Headers(failure.headers), body: failureBody(failure), secret: undefined });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
