export { NINEP, NinePStrategy } from './ninep.strategy.js';
export type { Door, Entrance, NinePOptions } from './options.js';
export { guestDoor, secretDoor } from './doors.js';
export { parseAttachName, type AttachName } from './attach-name.js';
