import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { Paths } from '#config';
import { AgentFactory } from './agent-factory.js';
import { AgentPorts } from './agent-ports.js';
import { ProfileStore } from './profile-store.js';

/** AgentFactory and ProfileStore. The imported modules export AgentPorts and Paths. */
@Module({})
export class AgentModule {
  static forRoot(options: { readonly imports: NonNullable<ModuleMetadata['imports']> }): DynamicModule {
    const profiles = {
      provide: ProfileStore,
      inject: [Paths, AgentPorts],
      useFactory: (paths: Paths, ports: AgentPorts) => new ProfileStore(paths, ports.log),
    };
    return { module: AgentModule, imports: options.imports, providers: [AgentFactory, profiles], exports: [AgentFactory, ProfileStore] };
  }
}
