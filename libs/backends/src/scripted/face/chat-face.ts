import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '#model';
import type { Plan } from '../plan.js';
import { play } from '../play.js';
import { failureBody } from '../script.js';
import type { ScriptedModel } from '../scripted-model.js';
import { callDeltas, chunk, completion, deltaOf, DONE, usageChunk } from './chat-wire.js';
import type { Cutter } from './cutter.js';
import { parseChatRequest } from './parse-chat-request.js';
import { sendBody } from './send-body.js';

const ARRIVAL_MS = 20;

/** OpenAI chat completions spoken by scripts. */
export class ChatFace {
  constructor(
    private readonly model: ScriptedModel,
    private readonly cutter: Cutter,
  ) {}

  models(): JsonObject {
    const data = this.model.models().map(({ id, contextLength }) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'scripted',
      ...(contextLength === undefined ? {} : { context_length: contextLength }),
    }));
    return { object: 'list', data };
  }

  /** Resolves when the answer is written, or when its client has gone. Throws ScriptRefusal before anything is sent. */
  async complete(body: string, response: ServerResponse): Promise<void> {
    const { request, isStreaming, wantsUsage } = parseChatRequest(body);
    const plan = this.model.plan(request);
    if (plan.fail?.kind === 'status') return sendBody(response, plan.fail.status, failureBody(plan.fail), plan.fail.headers);
    if (!isStreaming) return sendBody(response, 200, completion(plan));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    await this.write(chunk(plan, { role: 'assistant', content: '' }), response, gone.signal);
    for await (const played of play(plan, gone.signal)) {
      if (played.type === 'cut') return await breakOff(response);
      if (played.type === 'stall') return;
      await this.write(chunk(plan, deltaOf(played)), response, gone.signal);
    }
    for (const text of endOf(plan, wantsUsage)) await this.write(text, response, gone.signal);
    response.end();
  }

  /** Each piece is its own write, and waits while the client does not read. */
  private async write(text: string, response: ServerResponse, gone: AbortSignal): Promise<void> {
    for (const bytes of this.cutter.cut(text)) {
      gone.throwIfAborted();
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone });
    }
  }
}

/** What was written must have arrived: a reader drops what it has not read yet when its connection breaks. */
async function breakOff(response: ServerResponse): Promise<void> {
  await new Promise((flushed) => response.write(': the script cuts here\n\n', flushed));
  await setTimeout(ARRIVAL_MS);
  response.destroy();
}

function endOf(plan: Plan, wantsUsage: boolean): readonly string[] {
  const calls = callDeltas(plan).map((delta) => chunk(plan, delta));
  return [...calls, chunk(plan, {}, plan.stop), ...(wantsUsage ? [usageChunk(plan)] : []), DONE];
}
