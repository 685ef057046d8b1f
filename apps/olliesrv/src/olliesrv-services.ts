import { ProfileStore } from '#agent';
import { BackendCatalog, ToolHostFactory } from '#model';
import { ApprovalBroker, SessionEvents, SessionRegistry } from '#session';
import { Injectable } from '@nestjs/common';
import { ServerControl } from './server-control.js';

/** The root subject: all that the outside may touch, whichever door it comes through. */
@Injectable()
export class OlliesrvServices {
  // One field for each subject of the root table.
  constructor(
    readonly backends: BackendCatalog,
    readonly profiles: ProfileStore,
    readonly tools: ToolHostFactory,
    readonly sessions: SessionRegistry,
    readonly server: ServerControl,
    readonly events: SessionEvents,
    readonly approvals: ApprovalBroker,
  ) {}
}
