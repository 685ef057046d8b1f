import { ProfileStore } from '#agent';
import { BackendCatalog, ToolHostFactory } from '#model';
import { Injectable } from '@nestjs/common';

/** What there is to choose from. */
@Injectable()
export class Catalogs {
  constructor(
    readonly backends: BackendCatalog,
    readonly profiles: ProfileStore,
    readonly tools: ToolHostFactory,
  ) {}
}
