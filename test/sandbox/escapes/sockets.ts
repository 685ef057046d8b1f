import { area, capability, none } from './attempt.js';
import { itself, tells, toldNeighbour, toldNetwork } from './proofs.js';

export const sockets = area('sockets', [
  { name: 'connects to a path', way: 'unix', words: (s) => [s.neighbour.of('stream'), 'by-path'], escaped: toldNeighbour('by-path') },
  {
    name: 'sends packets to a path',
    way: 'unix-packets',
    words: (s) => [s.neighbour.of('packets'), 'packets-by-path'],
    escaped: toldNeighbour('packets-by-path'),
  },
  {
    name: 'sends a datagram to a path',
    way: 'unix-datagram',
    words: (s) => [s.neighbour.of('datagram'), 'datagram-by-path'],
    escaped: toldNeighbour('datagram-by-path'),
  },
  {
    name: 'connects to an abstract name',
    way: 'unix',
    words: (s) => [s.neighbour.of('abstract-stream'), 'by-name'],
    escaped: toldNeighbour('by-name'),
  },
  {
    name: 'sends packets to an abstract name',
    way: 'unix-packets',
    words: (s) => [s.neighbour.of('abstract-packets'), 'packets-by-name'],
    escaped: toldNeighbour('packets-by-name'),
  },
  {
    name: 'sends a datagram to an abstract name',
    way: 'unix-datagram',
    words: (s) => [s.neighbour.of('abstract-datagram'), 'datagram-by-name'],
    escaped: toldNeighbour('datagram-by-name'),
  },
  {
    name: 'sends a datagram from half of a pair',
    way: 'pair-datagram',
    words: (s) => [s.neighbour.of('datagram'), 'from-pair'],
    escaped: toldNeighbour('from-pair'),
  },
  {
    name: 'sends one from half of a pair to an abstract name',
    way: 'pair-datagram',
    words: (s) => [s.neighbour.of('abstract-datagram'), 'from-pair-by-name'],
    escaped: toldNeighbour('from-pair-by-name'),
  },
  {
    name: 'connects to a socket in its own directory',
    way: 'unix',
    words: (s) => [s.listeners.door, 'own-directory'],
    escaped: toldNetwork('own-directory'),
  },
  { name: 'is handed a descriptor by a server', way: 'receive', words: (s) => [s.neighbour.of('stream')], escaped: tells },
  {
    name: 'is handed one by a server with an abstract name',
    way: 'receive',
    words: (s) => [s.neighbour.of('abstract-stream')],
    escaped: tells,
  },
  {
    name: 'sends over netlink',
    way: 'user-netlink',
    words: (s) => [s.neighbour.of('netlink'), 'netlink'],
    escaped: toldNeighbour('netlink'),
  },
  { name: 'opens netlink to parts of the kernel', way: 'netlinks', words: none, escaped: itself },
  { name: 'opens a socket to the host of this machine', way: 'vsock', words: none, escaped: itself, absent: /not supported/ },
  { name: 'opens a socket for crypto', way: 'alg', words: none, escaped: itself, absent: /not supported/ },
  { name: 'opens a socket for packets', way: 'packet', words: none, escaped: itself, needs: capability.NET_RAW },
  { name: 'opens a socket of any other family', way: 'families', words: none, escaped: itself, absent: /not supported|EPERM/ },
  { name: 'sets flags of a network interface', way: 'interface', words: none, escaped: itself, needs: capability.NET_ADMIN },
  { name: 'sends over IP without a protocol', way: 'raw', words: none, escaped: itself, needs: capability.NET_RAW },
]);
