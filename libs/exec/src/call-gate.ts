import { Injectable } from '@nestjs/common';
import { BypassBroker } from './bypass/bypass-broker.js';
import type { Question } from './bypass/bypass-order.js';
import { CallCheck } from './call-check.js';
import type { PreparedCall } from './prepared-call.js';
import type { Release } from './read-write-lock.js';
import { SessionLocks, type SharedCall } from './session-locks.js';
import type { Job } from './workbench.js';

/** What a call has to pass before it runs: the rules always, an observer where one of them asks or the call is to leave the sandbox, and calls of its session that it must not meet. */
@Injectable()
export class CallGate {
  constructor(
    private readonly check: CallCheck,
    private readonly broker: BypassBroker,
    private readonly locks: SessionLocks,
  ) {}

  /** The rule that asks about the call, if any does. Throws CallRefusedError for a call that a rule denies. */
  questionAbout({ request, tool, dispatch, cwd }: PreparedCall): Promise<Question | undefined> {
    return this.check.questionAbout({ agent: request.agent, tool: tool.info.name, args: dispatch.args, cwd });
  }

  /** Resolves when exactly this may run; throws CallRefusedError. */
  async approve(call: PreparedCall & { readonly question: Question | undefined }, { argv, env }: Job, signal: AbortSignal): Promise<void> {
    const { request, tool, dispatch, cwd, isBypass, question } = call;
    if (!isBypass && question === undefined) return;
    const { agent, session, call: id } = request;
    const what = { kind: isBypass ? 'bypass' : 'permission', question, agent, session, call: id } as const;
    await this.broker.ask({ ...what, tool: tool.info.name, args: dispatch.args, argv, sandbox: dispatch.fields.sandbox, cwd, env }, signal);
  }

  /** Resolves when no call is under way that it must not meet, with what to call at its end. Rejects with the reason of the signal. */
  turn(call: SharedCall, signal: AbortSignal): Promise<Release> {
    return this.locks.take(call, signal);
  }
}
