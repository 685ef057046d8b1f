import { type DynamicModule, Module } from '@nestjs/common';
import { AgentModule } from '#agent';
import { ShutdownPlan } from '#lifecycle';
import { SystemClock } from '#model';
import { EventsModule, KeptSessions, SessionDefaults, SessionModule, SessionRegistry } from '#session';
import { ToolclientModule } from '#toolclient';
import { AgentPortsModule } from './agent-ports.module.js';
import { BackendsModule } from './backends.module.js';
import { Catalogs } from './catalogs.js';
import { NamespaceDoors } from './namespace-doors.js';
import type { OlliesrvOptions } from './olliesrv-options.js';
import { OlliesrvServices } from './olliesrv-services.js';
import { ServerControl } from './server-control.js';

/** The whole server but its doors. Exports OlliesrvServices, ServerControl and ShutdownPlan. */
@Module({})
export class OlliesrvModule {
  static forRoot({ paths, environment, cwd, log, toolsrv, store }: OlliesrvOptions): DynamicModule {
    const events = EventsModule.forRoot({ clock: new SystemClock(), log });
    const doors = new NamespaceDoors(paths, log);
    const tools = ToolclientModule.forRoot({ outside: events, paths, environment, cwd, log, doors, ...(toolsrv && { command: toolsrv }) });
    const backends = BackendsModule.forRoot({ env: environment, paths, log });
    const agents = AgentModule.forRoot({ imports: [AgentPortsModule.forRoot({ backends, events, paths, log })] });
    const defaults = new SessionDefaults(cwd, paths.home, environment, log, new KeptSessions(store, log));
    const sessions = SessionModule.forRoot({ imports: [agents, tools, events], defaults });
    return {
      module: OlliesrvModule,
      imports: [tools, backends, agents, sessions, events],
      providers: [
        Catalogs,
        OlliesrvServices,
        {
          provide: ServerControl,
          inject: [SessionRegistry],
          useFactory: (registry: SessionRegistry) => new ServerControl(registry, paths),
        },
        ShutdownPlan,
        { provide: NamespaceDoors, useValue: doors },
      ],
    };
  }
}
