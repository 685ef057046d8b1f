import { type DynamicModule, Module } from '@nestjs/common';
import { SessionDefaults } from './session-defaults.js';
import { SessionRegistry } from './session-registry.js';

export interface SessionModuleOptions {
  /** Modules that provide AgentFactory, ProfileStore, ToolHostFactory and EventSink. */
  readonly imports: NonNullable<DynamicModule['imports']>;
  readonly defaults: SessionDefaults;
}

/** Provides SessionRegistry. */
@Module({})
export class SessionModule {
  static forRoot({ imports, defaults }: SessionModuleOptions): DynamicModule {
    const providers = [SessionRegistry, { provide: SessionDefaults, useValue: defaults }];
    return { module: SessionModule, imports, providers, exports: [SessionRegistry, SessionDefaults] };
  }
}
