import { Module, type DynamicModule } from '@nestjs/common';
import { createCatalog, type BackendSettings } from '#backends';
import { BackendCatalog } from '#model';

/** Provides `BackendCatalog`. The backends themselves know nothing of Nest: small commands use them too. */
@Module({})
export class BackendsModule {
  static forRoot(settings: BackendSettings): DynamicModule {
    const catalog = { provide: BackendCatalog, useFactory: () => createCatalog(settings) };
    return { module: BackendsModule, providers: [catalog], exports: [BackendCatalog] };
  }
}
