import type { ModelInfo, ModelRequest } from '#model';
import { Attempts } from './attempts.js';
import { nextMove } from './engine.js';
import { OverflowRefusal, ScriptRefusal } from './errors.js';
import type { ScriptSource } from './library.js';
import { planOf, type InputCounts, type Plan } from './plan.js';
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
    return this.reply(request, (input) => fitting(input, script.contextLength));
  }

  /** The same for a request whose rules somebody else has checked, and whose input `counted` counts in a way of its own, or refuses. */
  reply(request: ModelRequest, counted: (input: InputCounts, contextLength: number | undefined) => InputCounts): Plan {
    const script = this.scripts.find(request.model);
    const move = nextMove(script, request, this.attempts.of(request));
    if (move.fails) this.attempts.count(request);
    return planOf(move, request, counted(this.cache.account(request), script.contextLength));
  }

  /** All input of a request, in tokens. Nothing is cached by it. */
  count(request: ModelRequest): number {
    this.scripts.find(request.model);
    return new PrefixCache().account(request).inputTokens;
  }
}

/** Throws OverflowRefusal. */
export function fitting(input: InputCounts, contextLength: number | undefined): InputCounts {
  const tokens = input.inputTokens + input.cachedInputTokens + input.cacheCreationTokens;
  if (contextLength !== undefined && tokens > contextLength) throw new OverflowRefusal(tokens, contextLength);
  return input;
}
