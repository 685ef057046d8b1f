import { absentCalls, byNumber, ipcCalls, judgedCalls, refusedCalls } from './filter-calls.js';

/** Which variant of the filter: network on, Unix sockets opened, queues and segments of its own, toolsrv runs as root. */
export interface Filter {
  readonly inet: boolean;
  readonly unix: boolean;
  readonly ipc: boolean;
  readonly root: boolean;
}

export const ALLOW = 0x7fff0000;
export const KILL_PROCESS = 0x80000000;
const errno = (code: number): number => 0x00050000 | code;
const EPERM = errno(1);
const EACCES = errno(13);
export const ENOSYS = errno(38);
const EPROTONOSUPPORT = errno(93);

const O_CREAT = 0o100;
const O_DIRECTORY = process.arch === 'arm64' ? 0o40000 : 0o200000;
const O_TMPFILE = 0o20000000 | O_DIRECTORY;
const S_ISUID = 0o4000;
const S_ISGID = 0o2000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** Values of arguments that some rule tells from others, or that lie beside such a value. */
// prettier-ignore
export const tellingValues: readonly number[] = [
  0, 1, 2, 3, 5, AF_INET6, AF_NETLINK, 17, 38, 40, TIOCSTI, TIOCLINUX, 0x80801, 0x80802, 0x80805,
  O_CREAT, O_CREAT | 1, O_TMPFILE, O_DIRECTORY, 0o755, S_ISUID | 0o755, S_ISGID | 0o755, 0o1777, 0xffffffff,
];

const absent = byNumber(absentCalls);
const shared = byNumber(ipcCalls);
const refused = byNumber(refusedCalls);
export const judged = byNumber(judgedCalls);

/** The low and the high 32 bits of each argument, in turn. */
type Halves = readonly number[];

const low = (args: Halves, index: number): number => args[2 * index] ?? 0;
const high = (args: Halves, index: number): number => args[2 * index + 1] ?? 0;

type Judge = (args: Halves, filter: Filter) => number;

/** The mode is this argument. */
const givingBy =
  (index: number): Judge =>
  (args, filter) =>
    giving(low(args, index), filter);

const judges: Readonly<Record<string, Judge>> = {
  openat: (args, filter) => opening(low(args, 2), low(args, 3), filter),
  open: (args, filter) => opening(low(args, 1), low(args, 2), filter),
  fchmodat: givingBy(2),
  fchmodat2: givingBy(2),
  mknodat: givingBy(2),
  fchmod: givingBy(1),
  chmod: givingBy(1),
  mknod: givingBy(1),
  creat: givingBy(1),
  ioctl: (args) => ([TIOCSTI, TIOCLINUX].includes(low(args, 1)) ? EPERM : ALLOW),
  socket,
  socketpair: (args) => (low(args, 0) === AF_UNIX && [1, 5].includes(low(args, 1) & 0xf) ? ALLOW : EACCES),
  prlimit64: (args) => (low(args, 0) === 0 || (low(args, 2) === 0 && high(args, 2) === 0) ? ALLOW : EPERM),
};

/** What the filter should answer: an account of the rules in native/README.md that shares nothing with native/seccomp.c. */
export function rightAnswer(number: number, args: Halves, filter: Filter): number {
  if (absent.has(number) || (shared.has(number) && !filter.ipc)) return ENOSYS;
  if (refused.has(number)) return EPERM;
  return judges[judged.get(number) ?? '']?.(args, filter) ?? ALLOW;
}

function socket(args: Halves, { inet, unix }: Filter): number {
  const family = low(args, 0);
  if (family === AF_NETLINK) return low(args, 2) === 0 ? ALLOW : EPROTONOSUPPORT;
  return (inet && [AF_INET, AF_INET6].includes(family)) || (unix && family === AF_UNIX) ? ALLOW : EACCES;
}

/** A file gets this mode. */
function giving(mode: number, { root }: Filter): number {
  return (mode & S_ISUID) !== 0 || (root && (mode & S_ISGID) !== 0) ? EPERM : ALLOW;
}

function opening(flags: number, mode: number, filter: Filter): number {
  const creates = (flags & O_CREAT) !== 0 || (flags & O_TMPFILE & ~O_DIRECTORY) !== 0;
  return creates ? giving(mode, filter) : ALLOW;
}
