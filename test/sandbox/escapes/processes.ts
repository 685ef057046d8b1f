import { area, capability, none } from './attempt.js';
import { itself, signalled, tells, touched } from './proofs.js';
import type { Scene } from './scene.js';

const neighbour = (s: Scene): readonly string[] => [String(s.neighbour.pid)];
const known = { known: 'processes of the same user outside a cell: priority and processors', isOfEqualsOnly: true } as const;

export const processes = area('signals and processes', [
  { name: 'kills', way: 'signal', words: neighbour, escaped: signalled('USR1') },
  { name: 'kills a thread', way: 'signal-thread', words: neighbour, escaped: signalled('USR2') },
  { name: 'kills by a descriptor', way: 'signal-descriptor', words: neighbour, escaped: signalled('HUP') },
  { name: 'kills with a value', way: 'signal-value', words: neighbour, escaped: signalled('RTMIN') },
  { name: 'kills a group', way: 'signal-group', words: neighbour, escaped: signalled('WINCH') },
  { name: 'makes another process the owner of a descriptor', way: 'signal-owner', words: neighbour, escaped: signalled('RTMIN+1') },
  { name: 'kills its helper', way: 'signal-helper', words: none, escaped: itself },
  { name: 'sets the limits of another process', way: 'limit', words: neighbour, escaped: touched('limit', 'untouched') },
  { name: 'sets the limits of its helper', way: 'limit-parent', words: none, escaped: itself },
  { name: 'lets core dumps be made', way: 'core-dumps', words: none, escaped: itself, needs: capability.SYS_RESOURCE },
  { name: 'traces', way: 'ptrace', words: neighbour, escaped: itself },
  {
    name: 'reads the memory of another process',
    way: 'vm-read',
    words: (s) => [...neighbour(s), s.neighbour.of('memory')],
    escaped: tells,
  },
  {
    name: 'writes into the memory of another process',
    way: 'vm-write',
    words: (s) => [...neighbour(s), s.neighbour.of('spare')],
    escaped: touched('memory', 'untouched'),
  },
  {
    name: 'takes a descriptor of another process',
    way: 'take-descriptor',
    words: (s) => [...neighbour(s), s.neighbour.of('lost')],
    escaped: tells,
  },
  {
    name: 'has the memory of another process put away',
    way: 'advise',
    words: (s) => [...neighbour(s), s.neighbour.of('memory')],
    escaped: itself,
    needs: capability.SYS_NICE,
    absent: /ENOSYS/,
  },
  { name: 'watches the performance of another process', way: 'performance', words: neighbour, escaped: itself, absent: /EACCES|ENOSYS/ },
  { name: 'takes the priority of another process', way: 'priority', words: neighbour, escaped: touched('priority', '0'), ...known },
  { name: 'takes its processors', way: 'affinity', words: neighbour, escaped: itself, ...known },
  { name: 'takes its kind of schedule', way: 'scheduler', words: neighbour, escaped: touched('scheduler', '0'), ...known },
  { name: 'takes its turn at the disks', way: 'io-priority', words: neighbour, escaped: touched('io-priority', '0'), ...known },
]);
