import { join } from 'node:path';
import { area, capability, none } from './attempt.js';
import { itself, tells } from './proofs.js';

/** Whoever has no user namespaces is spared these. */
const absent = /EPERM|ENOSYS|No space left/;

export const namespaces = area('namespaces', [
  { name: 'mounts in a namespace of its own', way: 'mount', words: (s) => [s.world.tmp], escaped: itself, absent },
  { name: 'binds a closed directory to an open one', way: 'bind', words: (s) => [s.closed('bind'), 'secret'], escaped: tells, absent },
  { name: 'lays a closed directory under its own', way: 'overlay', words: (s) => [s.closed('overlay'), 'secret'], escaped: tells, absent },
  { name: 'reads in a copy of the mounts that hangs nowhere', way: 'detached', words: (s) => [s.file('detached')], escaped: tells, absent },
  { name: 'takes another root', way: 'new-root', words: (s) => [s.file('new-root')], escaped: tells, absent },
  { name: 'takes away what covers a closed file', way: 'uncover', words: (s) => [s.file('uncover')], escaped: tells, absent },
  {
    name: 'mounts anew, for writing, what it may only read',
    way: 'remount',
    words: (s) => [s.given('readable'), join(s.given('readable'), 'remounted')],
    escaped: ({ scene }) => scene.holds(join(scene.given('readable'), 'remounted'), 'changed'),
    absent,
  },
  { name: 'climbs out of a root', way: 'climb', words: (s) => [s.file('climb')], escaped: tells, absent },
  { name: 'mounts a /proc of its own', way: 'mount-proc', words: none, escaped: itself, absent },
  { name: 'reads as root of its own namespace', way: 'root-of-own', words: (s) => [s.file('root-of-own')], escaped: tells, absent },
  {
    name: 'enters the mounts of process 1',
    way: 'enter-mounts',
    words: (s) => ['/proc/1/ns/mnt', s.file('enter-1')],
    escaped: tells,
    needs: capability.SYS_ADMIN,
    absent: /EACCES|No such/,
  },
  {
    name: 'enters the mounts of a neighbour',
    way: 'enter-mounts',
    words: (s) => [`/proc/${s.neighbour.pid}/ns/mnt`, s.file('enter')],
    escaped: tells,
    needs: capability.SYS_ADMIN,
  },
  {
    name: 'enters a neighbour by a descriptor of it',
    way: 'enter-by-process',
    words: (s) => [String(s.neighbour.pid), s.file('enter-pidfd')],
    escaped: tells,
    needs: capability.SYS_ADMIN,
  },
  {
    name: "enters a neighbour's user namespace",
    way: 'enter-users',
    words: (s) => [`/proc/${s.neighbour.of('apart')}/ns/user`],
    escaped: itself,
    absent,
  },
]);
