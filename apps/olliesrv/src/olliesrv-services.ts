import type { ProfileStore } from '#agent';
import type { BackendCatalog, ToolHostFactory } from '#model';
import { ApprovalBroker, SessionEvents, SessionRegistry } from '#session';
import { Injectable } from '@nestjs/common';
import { Catalogs } from './catalogs.js';
import { ServerControl } from './server-control.js';

/** The root subject: all that the outside may touch, whichever door it comes through. */
@Injectable()
export class OlliesrvServices {
  constructor(
    private readonly catalogs: Catalogs,
    readonly sessions: SessionRegistry,
    readonly server: ServerControl,
    readonly events: SessionEvents,
    readonly approvals: ApprovalBroker,
  ) {}

  get backends(): BackendCatalog {
    return this.catalogs.backends;
  }

  get profiles(): ProfileStore {
    return this.catalogs.profiles;
  }

  get tools(): ToolHostFactory {
    return this.catalogs.tools;
  }
}
