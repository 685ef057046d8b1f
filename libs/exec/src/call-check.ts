import { ConfigError, type Paths } from '#config';
import type { Permissions, RefusalLimiter, Verdict } from '#guard';
import type { JsonObject } from '#model';
import type { Question } from './bypass/bypass-order.js';
import { CallRefusedError } from './errors.js';

/** A call as far as it is looked at. */
export interface CheckedCall {
  readonly agent: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Absolute. */
  readonly cwd: string;
}

interface Loaded {
  readonly permissions: Permissions;
  readonly limiter: RefusalLimiter;
}

/**
 * Turns down what permission rules or the guard deny, and tells what a person has to be asked about. Whose calls are denied too often may
 * run no command (the argument `cmd` of a tool) for a while. It guards against accidents; the sandbox holds either way.
 */
export class CallCheck {
  private loading: Promise<Loaded> | undefined;

  constructor(
    private readonly paths: Pick<Paths, 'home' | 'config' | 'packaged'>,
    /** Milliseconds that never go back. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The rule that asks about the call; undefined = it may run. Throws CallRefusedError with the contract's text. The rules are loaded with the first call. */
  async questionAbout({ agent, tool, args, cwd }: CheckedCall): Promise<Question | undefined> {
    const { permissions, limiter } = await this.loaded();
    const block = typeof args['cmd'] === 'string' ? limiter.block(agent) : undefined;
    if (block !== undefined) throw new CallRefusedError(block);
    const verdict = await permissions.judge({ tool, args }, { cwd, home: this.paths.home });
    if (verdict.verdict === 'deny') {
      limiter.refused(agent);
      throw new CallRefusedError(denialText(verdict));
    }
    return verdict.verdict === 'ask' ? { rule: verdict.id ?? verdict.rule ?? 'unnamed', why: verdict.why ?? '' } : undefined;
  }

  /** A file that cannot be used lets nothing run, and is read again with the next call: it may have been mended. */
  private async loaded(): Promise<Loaded> {
    const loading = (this.loading ??= this.load());
    try {
      return await loading;
    } catch (error) {
      if (this.loading === loading) this.loading = undefined;
      if (error instanceof ConfigError) throw new CallRefusedError(`execution failed: ${error.message}`);
      throw error;
    }
  }

  private async load(): Promise<Loaded> {
    const { Permissions: Rules, RefusalLimiter: Limiter } = await import('#guard');
    return { permissions: await Rules.load(this.paths), limiter: new Limiter(this.now) };
  }
}

function denialText({ rule, why, origin }: Verdict): string {
  const what = origin === null ? 'dangerous pattern detected' : 'permission denied';
  return `${what}: ${rule ?? 'unnamed'}\n${why ?? ''}`.trimEnd();
}
