export { type Closable } from './closable.js';
export { runUntilSignal } from './signals.js';
export { ShutdownPlan, type ShutdownStep } from './shutdown-plan.js';
