import type { BackendCatalog, Clock } from '#model';
import type { Log } from '#config';

/** What all agents share. The class is the DI token; any object of this shape will do. */
export abstract class AgentPorts {
  abstract readonly backends: BackendCatalog;
  abstract readonly clock: Clock;
  abstract readonly log: Log;
}
