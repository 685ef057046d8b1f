export { runCommand, type Program } from './run-command.js';
export { runProcess } from './run-process.js';
export { usageText } from './usage.js';
export { streamOutput } from './stream-output.js';
export { defaultAddress } from './default-address.js';
export { attachName } from './attach-name.js';
export { clientTag } from './client-tag.js';
export { ClosedOutputError, CommandError, UsageError } from './errors.js';
export type { Output, World } from './world.js';
