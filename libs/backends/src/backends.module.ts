import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { BackendCatalog } from '#model';
import type { BackendSettings } from './backend-definition.js';
import { BackendPool } from './backend-pool.js';
import { definitions } from './definitions.js';

export interface BackendsModuleOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: FactoryProvider['inject'];
  readonly useFactory: FactoryProvider<BackendSettings | Promise<BackendSettings>>['useFactory'];
}

/** Provides `BackendCatalog`. */
@Module({})
export class BackendsModule {
  static forRoot({ imports = [], inject = [], useFactory }: BackendsModuleOptions): DynamicModule {
    const settings = { provide: SettingsToken, inject, useFactory };
    const catalog = { provide: BackendCatalog, inject: [SettingsToken], useFactory: (given: BackendSettings) => createCatalog(given) };
    return { module: BackendsModule, imports, providers: [settings, catalog], exports: [BackendCatalog] };
  }
}

/** What the settings are injected by. */
abstract class SettingsToken {}

/** The same without Nest. */
export function createCatalog(settings: BackendSettings): BackendCatalog {
  return new BackendPool(definitions, settings);
}
