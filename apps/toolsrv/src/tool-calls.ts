import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { expandTilde } from '#config';
import { processLines, ProcessTable, ToolExecutor, type CallRequest } from '#exec';
import { parsePayload } from '#tools';
import type { Call } from '#virtfs';
import { ServeOptions } from './serve-options.js';
import { ServerHost } from './server-host.js';
import { SessionAuth } from './session-auth.js';

/** What `proc/new`, `proc/new.bg` and `proc/list` take and give, as text. */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly executor: ToolExecutor,
    private readonly processes: ProcessTable,
    private readonly auth: SessionAuth,
    private readonly options: ServeOptions,
    private readonly host: ServerHost,
  ) {}

  /** Runs a call to its end and gives the result as JSON. Throws for a bad token and an unparsable payload only. */
  async run(payload: string, { signal, client }: Call): Promise<string> {
    return `${JSON.stringify(await this.executor.run(this.requestOf(payload, client.aname), signal))}\n`;
  }

  /** Starts a call and gives its number. The client may go away. */
  async start(payload: string, { signal, client }: Call): Promise<string> {
    const process = await this.executor.start(this.requestOf(payload, client.aname), signal);
    return `${process.id}\n`;
  }

  /** All processes, or those of the agent whose id is given. */
  list(agent: string): string {
    const id = agent.trim();
    return processLines(this.processes.list(id === '' ? undefined : id));
  }

  private requestOf(payload: string, aname: string): CallRequest {
    const { token, agent, cwd, ...rest } = parsePayload(payload);
    this.auth.checkToken(token);
    return {
      ...rest,
      agent: agent === '' ? agentOf(aname) : agent,
      cwd: resolve(this.options.cwd, expandTilde(cwd, this.host.paths.home)),
    };
  }
}

/** An attach name is the agent's id, and may go on with tags. */
function agentOf(aname: string): string {
  return aname.split('&')[0] ?? '';
}
