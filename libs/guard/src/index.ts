export { Guard, MAX_COMMAND } from './guard.js';
export { RefusalLimiter } from './refusal-limiter.js';
export { type GuardContext, type Verdict } from './verdict.js';
