export { type Closable } from './closable.js';
export { runCommandLine } from './command-line.js';
export { returnMemoryWhenIdle } from './idle-memory.js';
export { nestLog } from './nest-log.js';
export { runUntilSignal } from './signals.js';
export { ShutdownPlan, type ShutdownStep } from './shutdown-plan.js';
export { Subcommand } from './subcommand.js';
export { UsageError } from './usage-error.js';
