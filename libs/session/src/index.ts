export { checkAgentLine, checkSessionLine, parseAgentRequest, parseSessionRequest, type AgentRequest, type SessionRequest } from './requests.js';
export { Session } from './session.js';
export { SessionAgents } from './session-agents.js';
export { SessionDefaults } from './session-defaults.js';
export { SessionModule, type SessionModuleOptions } from './session.module.js';
export { SessionRegistry } from './session-registry.js';
