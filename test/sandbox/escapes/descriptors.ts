import { area } from './attempt.js';
import { lists, tells } from './proofs.js';

/** In no sandbox these run without a helper: it closes inherited descriptors under every policy, and under none. */
export const descriptors = area('inherited descriptors', [
  { name: 'a file', way: 'read-descriptor', words: () => ['5'], escaped: tells, setting: 'staged' },
  { name: 'a directory', way: 'list-descriptor', words: () => ['6'], escaped: lists, setting: 'staged' },
  { name: 'a socket with a descriptor in a message', way: 'receive-inherited', words: () => ['7'], escaped: tells, setting: 'staged' },
]);
