import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { area, capability, none } from './attempt.js';
import { itself, tells } from './proofs.js';
import type { Scene } from './scene.js';

/** A file of the neighbour's in /proc. */
const of = (name: string) => (s: Scene) => [`/proc/${s.neighbour.pid}/${name}`] as const;
const OOM_SCORE = '321';

export const proc = area('/proc and /sys', [
  { name: 'reads the environment of another process', way: 'read', words: of('environ'), escaped: tells },
  { name: 'reads its mappings', way: 'maps', words: (s) => [String(s.neighbour.pid), '/neighbour/'], escaped: tells },
  {
    name: 'reads its memory',
    way: 'memory',
    words: (s) => [String(s.neighbour.pid), s.neighbour.of('memory')],
    escaped: tells,
  },
  { name: 'reads a file that only it has open', way: 'read', words: (s) => of(`fd/${s.neighbour.of('lost')}`)(s), escaped: tells },
  {
    name: 'reads in its working directory',
    way: 'read',
    words: (s) => of(`cwd/${relative(s.busyDirectory, s.file('proc-cwd'))}`)(s),
    escaped: tells,
  },
  { name: 'reads below its root', way: 'read', words: (s) => of(`root${s.file('proc-root')}`)(s), escaped: tells },
  {
    name: 'reads below the root of process 1',
    way: 'read',
    words: (s) => [`/proc/1/root${s.file('proc-1')}`],
    escaped: tells,
    needs: capability.SYS_PTRACE,
    absent: /EACCES|No such/,
  },
  {
    name: 'makes another process the first to go when memory is short',
    way: 'write-number',
    words: (s) => [...of('oom_score_adj')(s), OOM_SCORE],
    escaped: ({ oomScore }) => oomScore === OOM_SCORE,
  },
  {
    name: 'reads the command line of another process',
    way: 'read',
    words: of('cmdline'),
    escaped: tells,
    known: 'all processes of the machine can be seen',
  },
  { name: "opens its helper's memory for writing", way: 'helper-memory', words: none, escaped: itself },
  {
    name: 'forges a report of its helper',
    way: 'helper-reports',
    words: none,
    escaped: ({ reports }) => reports.some((report) => report.type === 'exit' && report.code === 77),
  },
  {
    name: 'reads below a descriptor of its helper',
    way: 'below-helper',
    words: (s) => [`${s.neighbour.pid}/cmdline`],
    escaped: tells,
    absent: /No such/, // only the helper of a cell has one, of the /proc outside
  },
  { name: 'sees a key in its environment', way: 'environment', words: none, escaped: tells },
  {
    name: 'says which program handles core dumps',
    way: 'write-back',
    words: () => ['/proc/sys/kernel/core_pattern'],
    escaped: itself,
    needs: capability.DAC_OVERRIDE,
    absent: /Read-only/,
  },
  {
    name: 'opens the magic keys',
    way: 'open-for-write',
    words: () => ['/proc/sysrq-trigger'],
    escaped: itself,
    needs: capability.DAC_OVERRIDE,
    absent: /Read-only|No such/,
  },
  {
    name: 'writes a setting of the kernel in /sys',
    way: 'write-back',
    words: () => ['/sys/kernel/mm/transparent_hugepage/khugepaged/defrag'],
    escaped: itself,
    needs: capability.DAC_OVERRIDE,
    absent: /Read-only|No such file/,
  },
  {
    name: 'makes a control group',
    way: 'make-group',
    words: () => [`${controlGroups()}/ollie-attempt`],
    escaped: itself,
    needs: capability.SYS_ADMIN,
    absent: /Read-only/,
  },
  {
    name: 'joins another control group',
    way: 'open-for-write',
    words: () => [`${controlGroups()}/cgroup.procs`],
    escaped: itself,
    needs: capability.SYS_ADMIN,
    absent: /Read-only/,
  },
  {
    name: 'reads the kernel as a file',
    way: 'read',
    words: () => ['/proc/kcore'],
    escaped: itself,
    needs: capability.SYS_RAWIO,
    absent: /No such file|EPERM/,
  },
]);

/** The second kind, else the first that is mounted. */
function controlGroups(): string {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const groups = mounts.map((line) => line.split(' ')).filter(([, , type]) => type === 'cgroup2' || type === 'cgroup');
  const second = groups.find(([, , type]) => type === 'cgroup2');
  return second?.[1] ?? groups[0]?.[1] ?? '/sys/fs/cgroup';
}
