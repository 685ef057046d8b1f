export { Guard } from './guard.js';
export { Permissions } from './permissions/permissions.js';
export { RefusalLimiter } from './refusal-limiter.js';
export { type GuardContext, type Verdict } from './verdict.js';
