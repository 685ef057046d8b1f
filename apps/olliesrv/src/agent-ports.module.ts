import { type DynamicModule, Module } from '@nestjs/common';
import { AgentPorts } from '#agent';
import { type Log, Paths } from '#config';
import { ApprovalDesk, BackendCatalog, SystemClock } from '#model';
import { SessionEvents } from '#session';

export interface AgentPortsOptions {
  /** Exports BackendCatalog. */
  readonly backends: DynamicModule;
  /** Exports SessionEvents and ApprovalDesk. */
  readonly events: DynamicModule;
  readonly paths: Paths;
  readonly log: Log;
}

/** What agents share, out of the parts that this program has: exports AgentPorts and Paths. */
@Module({})
export class AgentPortsModule {
  static forRoot({ backends, events, paths, log }: AgentPortsOptions): DynamicModule {
    const ports = {
      provide: AgentPorts,
      inject: [BackendCatalog, SessionEvents, ApprovalDesk],
      useFactory: (catalog: BackendCatalog, bus: SessionEvents, approvals: ApprovalDesk): AgentPorts => ({
        backends: catalog,
        clock: new SystemClock(),
        log,
        events: bus,
        approvals,
      }),
    };
    return {
      module: AgentPortsModule,
      imports: [backends, events],
      providers: [ports, { provide: Paths, useValue: paths }],
      exports: [AgentPorts, Paths],
    };
  }
}
