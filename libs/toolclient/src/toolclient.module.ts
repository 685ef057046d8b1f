import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { packageRoot } from '#config';
import type { Environment, Log, Paths } from '#config';
import { type AgentDoors, ApprovalDesk, EventSink, ToolHostFactory } from '#model';
import { ToolHosts } from './tool-hosts.js';
import { IDLE_MS, type ToolsrvLaunch } from './toolsrv-launch.js';

export interface ToolclientOptions {
  /** Exports ApprovalDesk and EventSink. */
  readonly outside: DynamicModule;
  readonly paths: Paths;
  readonly environment: Environment;
  /** Where the tool server that answers `/tools` runs. */
  readonly cwd: string;
  readonly log: Log;
  readonly doors?: AgentDoors;
  /** Program and first arguments of toolsrv; default: this installation's own, on the Node that runs us. */
  readonly command?: ToolsrvLaunch['command'];
}

/** Provides ToolHostFactory: hands that are local toolsrv processes. */
@Module({})
export class ToolclientModule {
  static forRoot(options: ToolclientOptions): DynamicModule {
    const provider = {
      provide: ToolHostFactory,
      inject: [ApprovalDesk, EventSink],
      useFactory: (desk: ApprovalDesk, events: EventSink) => new ToolHosts({ ...launchOf(options), desk, events }, options.cwd),
    };
    return { module: ToolclientModule, imports: [options.outside], providers: [provider], exports: [ToolHostFactory] };
  }
}

function launchOf({ command, paths, environment, log, doors }: ToolclientOptions): ToolsrvLaunch {
  return { command: command ?? ownToolsrv(), runtime: paths.runtime, environment, idleMs: IDLE_MS, log, ...(doors && { doors }) };
}

function ownToolsrv(): ToolsrvLaunch['command'] {
  return [process.execPath, join(packageRoot(), 'dist/bin/toolsrv.mjs')];
}
