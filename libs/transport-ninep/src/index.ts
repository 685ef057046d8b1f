export { NINEP, NinePStrategy } from './ninep.strategy.js';
export type { Door, Entrance, NinePOptions, OpenDoor } from './options.js';
export { agentDoor, guestDoor, secretDoor } from './doors.js';
export { parseAttachName, type AttachName } from './attach-name.js';
