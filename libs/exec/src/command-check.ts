import type { Guard, RefusalLimiter } from '#guard';
import type { JsonObject } from '#model';
import { CallRefusedError } from './errors.js';

/** A call as far as it is looked at. */
export interface CheckedCall {
  readonly agent: string;
  readonly args: JsonObject;
  /** Absolute. */
  readonly cwd: string;
}

interface Loaded {
  readonly guard: Guard;
  readonly limiter: RefusalLimiter;
}

/**
 * Turns down what no agent runs on purpose: a shell command (the argument `cmd` of a tool) that the guard denies. Who is turned
 * down too often is blocked for a while. It guards against accidents; the sandbox holds either way.
 */
export class CommandCheck {
  private loaded: Promise<Loaded> | undefined;

  constructor(
    private readonly home: string,
    /** Milliseconds that never go back. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws CallRefusedError with the contract's text. The rules are loaded with the first command. */
  async demandHarmless({ agent, args, cwd }: CheckedCall): Promise<void> {
    const { cmd } = args;
    if (typeof cmd !== 'string') return;
    const { guard, limiter } = await (this.loaded ??= this.load());
    const block = limiter.block(agent);
    if (block !== undefined) throw new CallRefusedError(block);
    const { verdict, rule, why } = guard.judge(cmd, { cwd, home: this.home });
    if (verdict !== 'deny') return;
    limiter.refused(agent);
    throw new CallRefusedError(`dangerous pattern detected: ${rule ?? 'unnamed'}\n${why ?? ''}`.trimEnd());
  }

  private async load(): Promise<Loaded> {
    const { Guard: Rules, RefusalLimiter: Limiter } = await import('#guard');
    return { guard: await Rules.load(), limiter: new Limiter(this.now) };
  }
}
