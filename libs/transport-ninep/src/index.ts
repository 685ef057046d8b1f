export { NINEP, NinePStrategy } from './ninep.strategy.js';
export type { NinePOptions } from './options.js';
export { parseAttachName, type AttachName } from './attach-name.js';
