import { existsSync } from 'node:fs';
import { messageOf, type Log } from '#config';
import { isId } from '#model';
import { NoSuchPolicyError, SandboxConfigError, withProgram, type ExplainedPolicy, type RunOrder } from '#sandbox';
import { argumentEnvironment, type ArgumentEnvironment } from './argument-environment.js';
import { argumentList } from './command-line.js';
import { CallRefusedError } from './errors.js';
import { PrivateTmp } from './private-tmp.js';
import { ProcessLauncher, type Run, type RunListener } from './process-launcher.js';
import { SandboxStatus } from './sandbox-status.js';
import { Policies, type PolicySources } from './policies.js';
import type { PreparedCall } from './prepared-call.js';
import { environmentFor } from './tool-environment.js';

/** TERM to KILL. */
const GRACE_MS = 2_000;

/** What the server was started with. */
export interface WorkbenchOptions extends PolicySources {
  readonly yolo: boolean;
}

/** A call with everything laid out for it. `start` runs it and cleans up after its end. */
export interface Job {
  readonly argv: readonly string[];
  /** Without the variables that are made of the arguments. */
  readonly env: Readonly<Record<string, string>>;
  /** What holds the call; undefined = nothing does. */
  readonly policy: ExplainedPolicy | undefined;
  start(listener: RunListener): Run;
}

type Place = Pick<Job, 'argv' | 'env' | 'policy'> & { readonly cell: boolean; readonly tmp: string };

/** Lays out what a call needs: policy, environment, argument list, temporary directory. Fails closed. */
export class Workbench {
  private readonly policies: Policies;

  constructor(
    private readonly options: WorkbenchOptions,
    private readonly launcher: ProcessLauncher,
    private readonly status: SandboxStatus,
    private readonly tmp: PrivateTmp,
    private readonly log: Log,
  ) {
    this.policies = new Policies(options, log);
  }

  /** Throws CallRefusedError when the sandbox cannot hold, the policy is broken or the environment is not allowed. */
  async prepare(call: PreparedCall, signal: AbortSignal): Promise<Job> {
    const hasCells = await this.refuseWithoutSandbox(call, signal);
    const { session } = call.request;
    const tmp = call.isBypass ? this.tmp.bypassDirectoryFor(session) : this.tmp.directoryFor(session);
    const policy = await this.policyFor(call, tmp, signal);
    const env = environmentFor({
      ...call.request,
      server: this.options.env,
      policy,
      wanted: call.tool.env,
      call: call.request.env,
      cwd: call.cwd,
      tmp,
    });
    const argv = argumentList(call.tool, call.dispatch.args, this.options.node);
    this.demandDoor(call);
    const enforced = this.isOpen(call) ? undefined : withProgram(policy, argv[0] ?? '', { cwd: call.cwd, path: env['PATH'] ?? '' });
    const cell = enforced?.cell === true && hasCells;
    return { argv, env, policy: enforced, start: (listener) => this.start(call, { policy: enforced, cell, env, tmp, argv }, listener) };
  }

  private start(call: PreparedCall, place: Place, listener: RunListener): Run {
    const { tool, cwd, dispatch } = call;
    const args = argumentEnvironment(dispatch.args, tool.pass === 'env' ? place.tmp : undefined);
    const order: RunOrder = {
      policy: place.policy,
      cell: place.cell,
      ...(place.cell && { tmp: this.tmp.cellDirectoryFor(call.request.session) }),
      argv: place.argv,
      cwd,
      env: { ...place.env, ...args.env },
      graceMs: GRACE_MS,
      ...(tool.hasDoor && { door: this.options.paths.agentDoor(call.request.agent) }),
    };
    const stdin = Buffer.from(`${JSON.stringify(dispatch.args)}\n`);
    const run = this.launcher.launch(order, stdin, listener);
    void run.ended.then(() => this.cleanUp(args));
    return run;
  }

  /** olliesrv has opened it with the agent's connection. Without olliesrv there is none. */
  private demandDoor({ tool, request: { agent } }: PreparedCall): void {
    if (!tool.hasDoor || (isId(agent) && existsSync(this.options.paths.agentDoor(agent)))) return;
    throw new CallRefusedError(`execution failed: ${tool.info.name} needs the namespace, to which agent ${agent} has no door here`);
  }

  /** The directory is the tool's to spoil; that must not reach the server. */
  private cleanUp(args: ArgumentEnvironment): void {
    try {
      args.remove();
    } catch (error) {
      this.log.warn(`argument files are left: ${messageOf(error)}`);
    }
  }

  private isOpen({ isBypass }: PreparedCall): boolean {
    return this.options.yolo || isBypass;
  }

  /** Tells whether this host has cells. */
  private async refuseWithoutSandbox({ isBypass }: PreparedCall, signal: AbortSignal): Promise<boolean> {
    if (this.options.yolo) return false;
    const { helper, landlock, cells } = await this.status.facts(signal);
    if (helper === undefined) throw new CallRefusedError('execution failed: the sandbox helper is not built: npm run setup');
    if (landlock === 0 && !isBypass) throw new CallRefusedError('landlock unavailable: start toolsrv with --yolo to run unsandboxed');
    return cells;
  }

  private async policyFor(call: PreparedCall, tmp: string, signal: AbortSignal): Promise<ExplainedPolicy> {
    // Without enforcement a policy only names variables; a directory that it could not grant is no reason to refuse.
    const cwd = this.isOpen(call) ? undefined : call.cwd;
    try {
      const place = { cwd, tmp, name: call.dispatch.fields.sandbox };
      await this.policies.whenReachable(place, signal);
      return this.policies.for(call.tool, place);
    } catch (error) {
      if (error instanceof NoSuchPolicyError) throw new CallRefusedError(`invalid arguments: /sandbox ${error.message}`);
      if (error instanceof SandboxConfigError) throw new CallRefusedError(`execution failed: ${error.message}`);
      throw error;
    }
  }
}
