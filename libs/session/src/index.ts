export { checkSessionLine } from './requests.js';
export type { Session } from './session.js';
export { SessionDefaults } from './session-defaults.js';
export { SessionModule, type SessionModuleOptions } from './session.module.js';
export { SessionRegistry } from './session-registry.js';
