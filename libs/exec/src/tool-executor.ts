import { Injectable } from '@nestjs/common';
import { commandLabel, IllegalInputError, textResult, type ToolResult } from '#model';
import { ToolRegistry } from '#registry';
import { ToolCatalog, takeDispatch, typedArguments, type DispatchFields, type ToolDefinition } from '#tools';
import { CallDirectories } from './call-directories.js';
import { CallGate } from './call-gate.js';
import { callResult } from './call-result.js';
import type { CallRequest } from './call-request.js';
import { CallRefusedError, refusalText } from './errors.js';
import type { PreparedCall } from './prepared-call.js';
import { ProcessTable } from './process-table.js';
import type { Release } from './read-write-lock.js';
import type { ToolProcess } from './tool-process.js';
import { Workbench } from './workbench.js';

/**
 * Runs tools for agents: resolve the tool, take out what is meant for the dispatcher, ask the rules, find directory and
 * environment, wait for calls of other agents that it must not meet, run it in the sandbox (or outside, when an observer
 * approves), keep its output, answer. Expected failures are results.
 */
@Injectable()
export class ToolExecutor {
  private readonly directories = new CallDirectories();

  constructor(
    private readonly registry: ToolRegistry,
    private readonly catalog: ToolCatalog,
    private readonly processes: ProcessTable,
    private readonly workbench: Workbench,
    private readonly gate: CallGate,
  ) {}

  /** Runs a call to its end. An abort ends its whole process tree; the result then says `cancelled`. */
  async run(request: CallRequest, signal: AbortSignal): Promise<ToolResult> {
    try {
      const call = this.prepare(request);
      await this.directories.require(call.cwd, signal);
      const process = await this.launch(call, { background: false, signal });
      await untilEnd(process, signal);
      if (process.outcome?.type === 'failed') await this.directories.requireNow(call.cwd, signal);
      return callResult(process);
    } catch (error) {
      const text = error === signal.reason ? 'cancelled' : refusalText(error);
      if (text === undefined) throw error;
      return textResult(text, true);
    }
  }

  /**
   * Starts a call and leaves it running. Throws CallRefusedError with the text that `run` would answer, and
   * IllegalInputError for a tool that is not meant for the background.
   */
  async start(request: CallRequest, signal: AbortSignal): Promise<ToolProcess> {
    const call = this.prepare(request);
    await this.directories.requireNow(call.cwd, signal);
    if (!call.tool.info.background) throw new IllegalInputError('argument', 'tool cannot run in background');
    return this.launch(call, { background: true, signal });
  }

  private prepare(request: CallRequest): PreparedCall {
    const tool = this.resolve(request);
    const dispatch = takeDispatch(typedArguments(request.fields, request.args, tool.info.inputSchema));
    if (typeof dispatch === 'string') throw new CallRefusedError(`invalid arguments: ${dispatch}`);
    const wrong = tool.check(dispatch.args);
    if (wrong !== undefined) throw new CallRefusedError(`invalid arguments: ${wrong}`);
    return { request, tool, dispatch, cwd: request.cwd, isBypass: isBypass(tool, dispatch.fields) };
  }

  private resolve({ agent, tool: name }: CallRequest): ToolDefinition {
    const tool = this.registry.lookup(agent, name);
    if (tool !== undefined) return tool;
    const isKnown = this.catalog.entries().some((entry) => entry.name === name);
    throw new CallRefusedError(isKnown ? `tool not loaded: ${name}` : `no such tool: ${name}`);
  }

  private async launch(call: PreparedCall, how: { readonly background: boolean; readonly signal: AbortSignal }): Promise<ToolProcess> {
    const { request, tool, dispatch, cwd } = call;
    const question = await this.gate.questionAbout(call);
    const job = await this.workbench.prepare(call, how.signal);
    await this.gate.approve({ ...call, question }, job, how.signal);
    const { agent, session } = request;
    const limit = dispatch.fields.timeout ?? (how.background ? undefined : tool.info.timeout);
    const facts = {
      agent,
      session,
      cwd,
      tool: tool.info.name,
      call: request.call,
      tier: tool.info.tier,
      background: how.background,
      policy: job.policy,
    };
    const command = commandLabel(request.label, tool.info.name, dispatch.args);
    const release = await this.gate.turn({ session, tool, background: how.background }, how.signal);
    return releasedAtEnd(release, () =>
      this.processes.add({ ...facts, command, timeoutSeconds: limit }, (listener) => job.start(listener)),
    );
  }
}

function releasedAtEnd(release: Release, start: () => ToolProcess): ToolProcess {
  try {
    const process = start();
    void process.ended.then(release);
    return process;
  } catch (error) {
    release();
    throw error;
  }
}

async function untilEnd(process: ToolProcess, signal: AbortSignal): Promise<void> {
  const cancel = (): void => process.terminate('cancel');
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await process.ended;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** `always`: such a tool is of no use in the sandbox, so every call asks. */
function isBypass({ info }: ToolDefinition, { bypass, sandbox }: DispatchFields): boolean {
  if (info.bypass === 'never' && bypass) throw new CallRefusedError(`invalid arguments: /bypass ${info.name} never leaves the sandbox`);
  const isOutside = info.bypass === 'always' || bypass;
  if (isOutside && sandbox !== 'default')
    throw new CallRefusedError('invalid arguments: /sandbox a call outside the sandbox has no policy');
  return isOutside;
}
