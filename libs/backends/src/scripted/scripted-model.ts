import type { ModelInfo, ModelRequest } from '#model';
import { Attempts } from './attempts.js';
import { nextMove } from './engine.js';
import { ScriptRefusal } from './errors.js';
import type { ScriptSource } from './library.js';
import { planOf, type Plan } from './plan.js';
import { PrefixCache } from './prefix-cache.js';
import { violationIn } from './strict.js';

/** Scripts, rules and counters behind every face of the scripted backend. */
export class ScriptedModel {
  private readonly cache = new PrefixCache();
  private readonly attempts = new Attempts();

  constructor(
    private readonly scripts: ScriptSource,
    private readonly isStrict = true,
  ) {}

  models(): readonly ModelInfo[] {
    return this.scripts.models();
  }

  /** The reply to a request. Throws ScriptRefusal, or ConfigError for a script that is not right. */
  plan(request: ModelRequest): Plan {
    const script = this.scripts.find(request.model);
    const violation = this.isStrict ? violationIn(request) : undefined;
    if (violation !== undefined) throw new ScriptRefusal(violation);
    const move = nextMove(script, request, this.attempts.of(request));
    if (move.fails) this.attempts.count(request);
    const input = this.cache.account(request);
    checkLength(input.inputTokens + input.cachedInputTokens, script.contextLength);
    return planOf(move, request, input);
  }
}

function checkLength(tokens: number, contextLength: number | undefined): void {
  if (contextLength === undefined || tokens <= contextLength) return;
  const text = `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ${tokens} tokens.`;
  throw new ScriptRefusal(text, 400, 'context_length_exceeded');
}
