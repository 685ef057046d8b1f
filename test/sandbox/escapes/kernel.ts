import { readFileSync } from 'node:fs';
import { area, capability, none } from './attempt.js';
import { itself } from './proofs.js';

/** Each in a form that changes nothing when it succeeds. */
export const kernel = area('rights of root', [
  { name: 'restarts the machine', way: 'restart', words: none, escaped: itself, needs: capability.SYS_BOOT },
  { name: 'swaps', way: 'swap', words: none, escaped: itself, needs: capability.SYS_ADMIN },
  { name: 'keeps accounts', way: 'accounting', words: none, escaped: itself, needs: capability.SYS_PACCT, absent: /ENOSYS/ },
  { name: 'loads a module', way: 'module', words: none, escaped: itself, needs: capability.SYS_MODULE, absent: /ENOSYS/ },
  { name: 'names the machine', way: 'host-name', words: none, escaped: itself, needs: capability.SYS_ADMIN },
  { name: 'sets the clock', way: 'clock', words: none, escaped: itself, needs: capability.SYS_TIME },
  { name: 'reads the log of the kernel', way: 'kernel-log', words: none, escaped: itself, needs: capability.SYSLOG },
  { name: 'reads it as a file', way: 'open-for-write', words: () => ['/dev/kmsg'], escaped: itself, needs: capability.SYSLOG },
  { name: 'loads a program into the kernel', way: 'bpf', words: none, escaped: itself, needs: capability.BPF, absent: /ENOSYS/ },
  { name: 'handles page faults', way: 'page-faults', words: none, escaped: itself, absent: /ENOSYS/ },
  { name: 'gives itself a capability', way: 'regain', words: none, escaped: itself, needs: capability.SYS_ADMIN },
  { name: 'asks for its own tracing', way: 'trace-me', words: none, escaped: itself },
  { name: 'changes its root', way: 'chroot', words: none, escaped: itself, needs: capability.SYS_CHROOT },
  { name: 'looks into the key ring of its session', way: 'keys', words: none, escaped: itself, absent: /ENOSYS/ },
  {
    name: 'reads a disk',
    way: 'read',
    words: () => [firstDisk()],
    escaped: itself,
    needs: capability.DAC_OVERRIDE,
    absent: /No such|EPERM/,
  },
]);

function firstDisk(): string {
  const [, name] = readFileSync('/proc/partitions', 'utf8').match(/^\s*\d+\s+\d+\s+\d+\s+(?!loop|zram|ram)(\S+)$/m) ?? [];
  return `/dev/${name ?? 'none'}`;
}
