export { agentRequest, checkSessionLine, sessionRequest } from './requests.js';
export { KeptSessions } from './kept-sessions.js';
export type { Session } from './session.js';
export { SessionDefaults } from './session-defaults.js';
export { SessionModule, type SessionModuleOptions } from './session.module.js';
export { SessionRegistry } from './session-registry.js';
export { ApprovalBroker } from './approvals/approval-broker.js';
export { SessionEvents } from './events/session-events.js';
export { EventsModule } from './events.module.js';
