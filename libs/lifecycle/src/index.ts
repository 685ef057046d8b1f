export { type Closable } from './closable.js';
export { commandEnd } from './command-end.js';
export { nestLog } from './nest-log.js';
export { runUntilSignal } from './signals.js';
export { ShutdownPlan, type ShutdownStep } from './shutdown-plan.js';
export { UsageError } from './usage-error.js';
