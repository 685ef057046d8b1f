import { type DynamicModule, Module } from '@nestjs/common';
import { KeptSessions } from './kept-sessions.js';
import { SessionDefaults } from './session-defaults.js';
import { SessionRegistry } from './session-registry.js';

export interface SessionModuleOptions {
  /** Modules that provide AgentFactory, ProfileStore, ToolHostFactory and EventSink. */
  readonly imports: NonNullable<DynamicModule['imports']>;
  readonly defaults: SessionDefaults;
  readonly kept: KeptSessions;
}

/** Provides SessionRegistry. */
@Module({})
export class SessionModule {
  static forRoot({ imports, defaults, kept }: SessionModuleOptions): DynamicModule {
    const providers = [SessionRegistry, { provide: SessionDefaults, useValue: defaults }, { provide: KeptSessions, useValue: kept }];
    return { module: SessionModule, imports, providers, exports: [SessionRegistry, SessionDefaults] };
  }
}
