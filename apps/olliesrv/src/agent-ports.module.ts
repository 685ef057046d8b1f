import { type DynamicModule, Module } from '@nestjs/common';
import { AgentPorts, SystemClock } from '#agent';
import { type Log, Paths } from '#config';
import { BackendCatalog } from '#model';

export interface AgentPortsOptions {
  /** Exports BackendCatalog. */
  readonly backends: DynamicModule;
  readonly paths: Paths;
  readonly log: Log;
}

/** What agents share, out of the parts that this program has: exports AgentPorts and Paths. */
@Module({})
export class AgentPortsModule {
  static forRoot({ backends, paths, log }: AgentPortsOptions): DynamicModule {
    const ports = {
      provide: AgentPorts,
      inject: [BackendCatalog],
      useFactory: (catalog: BackendCatalog): AgentPorts => ({ backends: catalog, clock: new SystemClock(), log }),
    };
    return {
      module: AgentPortsModule,
      imports: [backends],
      providers: [ports, { provide: Paths, useValue: paths }],
      exports: [AgentPorts, Paths],
    };
  }
}
