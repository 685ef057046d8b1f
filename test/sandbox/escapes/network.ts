import { area, capability, none, type Attempt } from './attempt.js';
import { itself, tells, toldNetwork } from './proofs.js';

/** Says its own name to a server of this machine. */
const saying = (way: string, kind: 'tcp' | 'udp', version: 4 | 6 = 4): Pick<Attempt, 'way' | 'words' | 'escaped' | 'setting'> => ({
  way,
  words: (s) => [s.listeners.port(kind, version), way],
  escaped: toldNetwork(way),
  setting: 'offline',
});
/** Waits for a visitor, who tells the secret. */
const serving = (way: string, file: string): Pick<Attempt, 'way' | 'words' | 'escaped' | 'setting'> => ({
  way,
  words: () => [file],
  escaped: tells,
  setting: 'offline',
});
const noIpv6 = /Cannot assign|not supported/;

export const network = area('network off', [
  { name: 'TCP', ...saying('tcp', 'tcp') },
  { name: 'TCP over IPv6', ...saying('tcp6', 'tcp', 6), absent: noIpv6 },
  { name: 'TCP over IPv4 in IPv6', ...saying('tcp-mapped', 'tcp'), absent: noIpv6 },
  { name: 'MPTCP', ...saying('mptcp', 'tcp'), absent: /EPROTONOSUPPORT|not available/ },
  { name: 'TCP with its first packet', ...saying('fastopen', 'tcp'), absent: /not supported/ },
  { name: 'UDP', ...saying('udp', 'udp') },
  { name: 'UDP over IPv6', ...saying('udp6', 'udp', 6), absent: noIpv6 },
  { name: 'a TCP socket of io_uring', ...saying('ring-socket', 'tcp'), absent: /ENOSYS|EPERM|Invalid/ },
  { name: 'TCP in the namespace of a neighbour', ...elsewhere(), needs: capability.SYS_ADMIN },
  { name: 'a server', ...serving('serve', 'tcp-bound') },
  { name: 'a server without a port of its choice', ...serving('serve-unbound', 'tcp-unbound') },
  { name: 'a server for datagrams', ...serving('serve-datagrams', 'udp-bound') },
  { name: 'IP without a protocol', way: 'raw', words: none, escaped: itself, setting: 'offline', needs: capability.NET_RAW },
  { name: 'packets', way: 'packet', words: none, escaped: itself, setting: 'offline', needs: capability.NET_RAW },
  { name: 'the host of this machine', way: 'vsock', words: none, escaped: itself, setting: 'offline', absent: /not supported/ },
  { name: 'the 32-bit entry', way: 'old-entry', words: none, escaped: itself, setting: 'offline', absent: /ENOSYS|signal 11/ },
  {
    name: 'an abstract socket',
    way: 'receive',
    words: (s) => [s.neighbour.of('abstract-stream')],
    escaped: tells,
    setting: 'offline',
  },
]);

function elsewhere(): Pick<Attempt, 'way' | 'words' | 'escaped' | 'setting'> {
  const { escaped, setting } = saying('tcp-elsewhere', 'tcp');
  return {
    way: 'tcp-elsewhere',
    words: (s) => [s.listeners.port('tcp', 4), 'tcp-elsewhere', `/proc/${s.neighbour.pid}/ns/net`],
    escaped,
    ...(setting === undefined ? {} : { setting }),
  };
}
