/** Numbers of the system calls that the filter treats specially, from the kernel's tables: [x86_64, arm64]; undefined: there is none. */
type Numbers = readonly [number, number | undefined];

export const absentCalls: Readonly<Record<string, Numbers>> = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  openat2: [437, 437],
};

/** Absent where they are shared with other programs. */
export const ipcCalls: Readonly<Record<string, Numbers>> = {
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  semget: [64, 190],
  semop: [65, 193],
  semtimedop: [220, 192],
  semctl: [66, 191],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
};

export const refusedCalls: Readonly<Record<string, Numbers>> = {
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  ptrace: [101, 117],
  chroot: [161, 51],
  open_by_handle_at: [304, 265],
  process_vm_writev: [311, 271],
  syslog: [103, 116],
};

/** Judged by their arguments. */
export const judgedCalls: Readonly<Record<string, Numbers>> = {
  openat: [257, 56],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  fchmod: [91, 52],
  mknodat: [259, 33],
  open: [2, undefined],
  chmod: [90, undefined],
  mknod: [133, undefined],
  creat: [85, undefined],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  prlimit64: [302, 261],
};

/** Names by number, for this machine. */
export function byNumber(calls: Readonly<Record<string, Numbers>>): ReadonlyMap<number, string> {
  const column = process.arch === 'arm64' ? 1 : 0;
  return new Map(Object.entries(calls).flatMap(([name, numbers]) => (numbers[column] === undefined ? [] : [[numbers[column], name]])));
}
