import { Injectable } from '@nestjs/common';
import { BypassBroker } from './bypass/bypass-broker.js';
import { CommandCheck } from './command-check.js';
import type { PreparedCall } from './prepared-call.js';
import type { Job } from './workbench.js';

/** What a call has to pass before it runs: the guard always, an observer where it is to leave the sandbox. */
@Injectable()
export class CallGate {
  constructor(
    private readonly commands: CommandCheck,
    private readonly broker: BypassBroker,
  ) {}

  /** Throws CallRefusedError. */
  async demandHarmless({ request, dispatch, cwd }: PreparedCall): Promise<void> {
    await this.commands.demandHarmless({ agent: request.agent, args: dispatch.args, cwd });
  }

  /** Resolves when exactly this may run outside the sandbox; throws CallRefusedError. */
  async approve({ request, tool, dispatch, cwd }: PreparedCall, { argv, env }: Job, signal: AbortSignal): Promise<void> {
    const { agent, session } = request;
    await this.broker.ask({ agent, session, tool: tool.info.name, args: dispatch.args, argv, cwd, env }, signal);
  }
}
