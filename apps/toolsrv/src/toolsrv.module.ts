import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type DynamicModule, type FactoryProvider, type Provider } from '@nestjs/common';
import {
  BypassBroker, CallCheck, CallGate, PrivateTmp, ProbedSandboxStatus, ProcessLauncher, ProcessTable, SandboxStatus, SessionDirectories, SessionLocks,
  SupervisorLauncher, ToolExecutor, Workbench,
} from '#exec'; // prettier-ignore
import { ShutdownPlan } from '#lifecycle';
import { SystemClock } from '#model';
import { ToolRegistry } from '#registry';
import { DirectoryCatalog, programSearchPath, ToolCatalog } from '#tools';
import { NinePStrategy } from '#transport-ninep';
import { HostInfo } from './host-info.js';
import { makeStrategy } from './make-strategy.js';
import { ServeOptions } from './serve-options.js';
import { ServerHost } from './server-host.js';
import { SessionAuth } from './session-auth.js';
import { ToolCalls } from './tool-calls.js';
import { ToolLists } from './tool-lists.js';
import { ToolsrvServices } from './toolsrv-services.js';

const factories: FactoryProvider[] = [
  {
    provide: ToolCatalog,
    inject: [ServerHost],
    useFactory: ({ paths, env }: ServerHost) =>
      new DirectoryCatalog(paths.tools, programSearchPath(env['PATH']), join(paths.packaged, 'tools')),
  },
  {
    provide: SandboxStatus,
    inject: [ServerHost, ServeOptions],
    useFactory: ({ helper }: ServerHost, { yolo }: ServeOptions) => new ProbedSandboxStatus(helper, yolo),
  },
  { provide: ProcessLauncher, inject: [ServerHost], useFactory: ({ helper }: ServerHost) => new SupervisorLauncher(helper) },
  { provide: PrivateTmp, inject: [ServerHost], useFactory: ({ env }: ServerHost) => new PrivateTmp(env['OLLIE_TMP_PATH'] ?? tmpdir()) },
  {
    provide: SessionDirectories,
    inject: [ServerHost],
    useFactory: ({ env, log }: ServerHost) => new SessionDirectories(env['OLLIE_TMP_PATH'] ?? join(tmpdir(), 'ollie'), log),
  },
  {
    provide: ProcessTable,
    inject: [PrivateTmp, ServeOptions],
    useFactory: (tmp: PrivateTmp, { lastProcess }: ServeOptions) => new ProcessTable(undefined, () => tmp.ownDirectory(), lastProcess),
  },
  { provide: CallCheck, inject: [ServerHost], useFactory: ({ paths }: ServerHost) => new CallCheck(paths) },
  {
    provide: BypassBroker,
    inject: [ServerHost, ServeOptions],
    useFactory: ({ log }: ServerHost, { bypassTimeoutMs }: ServeOptions) => new BypassBroker(new SystemClock(false), log, bypassTimeoutMs),
  },
  {
    provide: Workbench,
    inject: [ServerHost, ServeOptions, ProcessLauncher, SandboxStatus, PrivateTmp],
    useFactory: makeWorkbench,
  },
  { provide: SessionAuth, inject: [ServeOptions], useFactory: ({ auth }: ServeOptions) => new SessionAuth(auth) },
  { provide: NinePStrategy, inject: [ToolsrvServices, SessionAuth, ServeOptions, ServerHost], useFactory: makeStrategy },
];

/** Everything behind toolsrv's namespace. Nothing listens and nothing runs until somebody asks. */
@Module({})
export class ToolsrvModule {
  static forRoot(options: ServeOptions, host: ServerHost): DynamicModule {
    const given: Provider[] = [
      { provide: ServeOptions, useValue: options },
      { provide: ServerHost, useValue: host },
    ];
    const services = [CallGate, SessionLocks, ToolRegistry, ToolExecutor, ToolLists, ToolCalls, HostInfo, ToolsrvServices, ShutdownPlan];
    return { module: ToolsrvModule, providers: [...given, ...factories, ...services] };
  }
}

function makeWorkbench(
  host: ServerHost,
  { yolo }: ServeOptions,
  ...parts: readonly [ProcessLauncher, SandboxStatus, PrivateTmp]
): Workbench {
  const { paths, env, node, log } = host;
  return new Workbench({ paths, env, node, yolo }, ...parts, log);
}
