import { area, capability, type Attempt } from './attempt.js';
import { tells, touched } from './proofs.js';

/** What the neighbour calls NAME is what `way` is for. */
const its = (name: string): Pick<Attempt, 'words'> => ({ words: (s) => [s.neighbour.of(name)] });

export const ipc = area('queues, segments and keys', [
  { name: 'reads a System V segment', way: 'read-segment', ...its('segment'), escaped: tells },
  { name: 'writes into it', way: 'segment', ...its('segment'), escaped: touched('segment', 'untouched') },
  { name: 'finds a System V segment by its key', way: 'find-segment', ...its('pid'), escaped: tells },
  {
    name: 'reads a System V segment in the namespace of a neighbour',
    way: 'enter-queues',
    words: (s) => [`/proc/${s.neighbour.pid}/ns/ipc`, s.neighbour.of('segment')],
    escaped: tells,
    needs: capability.SYS_ADMIN,
  },
  { name: 'takes a System V message', way: 'take-message', ...its('messages'), escaped: tells },
  { name: 'removes a System V queue', way: 'messages', ...its('gone-messages'), escaped: touched('gone-messages', 'untouched') },
  { name: 'raises a System V semaphore', way: 'semaphore', ...its('semaphore'), escaped: touched('semaphore', 'untouched') },
  { name: 'sends to a POSIX queue', way: 'send-to-queue', ...its('queue'), escaped: touched('queue', 'untouched') },
  { name: 'removes a POSIX queue', way: 'queue', ...its('gone-queue'), escaped: touched('gone-queue', 'untouched') },
  { name: 'reads POSIX shared memory', way: 'read', ...its('shared'), escaped: tells },
  { name: 'reads a key of the user', way: 'read-key', ...its('key'), escaped: tells, absent: /ENOSYS/ },
]);
