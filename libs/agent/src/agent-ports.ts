import type { ApprovalDesk, BackendCatalog, Clock } from '#model';
import type { Log } from '#config';
import type { AgentBus } from './agent-news.js';

/** What all agents share. The class is the DI token; any object of this shape will do. */
export abstract class AgentPorts {
  abstract readonly backends: BackendCatalog;
  abstract readonly clock: Clock;
  abstract readonly log: Log;
  abstract readonly events: AgentBus;
  abstract readonly approvals: ApprovalDesk;
}
