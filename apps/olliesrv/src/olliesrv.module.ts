import { type DynamicModule, Module } from '@nestjs/common';
import { AgentModule } from '#agent';
import { BackendsModule } from '#backends';
import { ShutdownPlan } from '#lifecycle';
import { SessionDefaults, SessionModule } from '#session';
import { ToolclientModule } from '#toolclient';
import { AgentPortsModule } from './agent-ports.module.js';
import type { OlliesrvOptions } from './olliesrv-options.js';
import { OlliesrvServices } from './olliesrv-services.js';
import { ServerControl } from './server-control.js';

/** The whole server but its doors. Exports OlliesrvServices, ServerControl and ShutdownPlan. */
@Module({})
export class OlliesrvModule {
  static forRoot({ paths, environment, cwd, log, toolsrv }: OlliesrvOptions): DynamicModule {
    const tools = ToolclientModule.forRoot({ paths, environment, cwd, log, ...(toolsrv && { command: toolsrv }) });
    const backends = BackendsModule.forRoot({ useFactory: () => ({ env: environment, paths }) });
    const agents = AgentModule.forRoot({ imports: [AgentPortsModule.forRoot({ backends, paths, log })] });
    const defaults = new SessionDefaults(cwd, paths.home, environment, log);
    const sessions = SessionModule.forRoot({ imports: [agents, tools], defaults });
    return {
      module: OlliesrvModule,
      imports: [tools, backends, agents, sessions],
      providers: [OlliesrvServices, ServerControl, ShutdownPlan],
    };
  }
}
