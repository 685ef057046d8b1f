/* The system call filter: what Landlock does not mediate. */
#include "helper.h"

#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
/* From here on numbers mean calls of the x32 ABI. */
#define FOREIGN_CALLS 0x40000000
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "no system call filter for this architecture"
#endif

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif

enum { SOCKET_TYPE_MASK = 0xf };
/* Newer than the oldest system headers that we build with. */
enum { SYS_OPENAT2 = 437, SYS_FCHMODAT2 = 452 };

/*
 * Answered as by a kernel that lacks them. io_uring does its work outside the filter's sight; openat2 has its mode
 * where the filter cannot look.
 */
static const unsigned absent_calls[] = {
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_OPENAT2,
};

/*
 * So are these, outside of cells: System V and POSIX queues, segments and semaphores are shared by all programs of the
 * user, are in no file tree that Landlock could judge, and outlive the call. A cell has its own.
 */
static const unsigned ipc_calls[] = {
    SYS_shmget, SYS_shmat,  SYS_shmctl, SYS_msgget,     SYS_msgsnd, SYS_msgrcv,  SYS_msgctl,
    SYS_semget, SYS_semop,  SYS_semctl, SYS_semtimedop, SYS_mq_open, SYS_mq_unlink,
};

static const unsigned refused_calls[] = {
    SYS_bpf,           SYS_perf_event_open, SYS_userfaultfd,       SYS_add_key,      SYS_request_key,
    SYS_keyctl,        SYS_kexec_load,      SYS_init_module,       SYS_finit_module, SYS_delete_module,
    SYS_ptrace,        SYS_chroot,          SYS_open_by_handle_at, SYS_process_vm_writev,
    SYS_syslog,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
};

/* Injecting input into a terminal. */
static const unsigned refused_ioctls[] = {TIOCSTI, TIOCLINUX};

/* AF_UNIX is in where Landlock tells sockets apart, or where the policy opens one. */
static const unsigned inet_families[] = {AF_INET, AF_INET6};
static const unsigned unix_families[] = {AF_UNIX};
/* Addresses and routes. The other protocols reach other programs, or parts of the kernel that no tool needs. */
static const unsigned netlink_protocols[] = {NETLINK_ROUTE};
static const unsigned pair_families[] = {AF_UNIX};
/* A datagram pair could be sent to any path; connected streams stay connected to their peer. */
static const unsigned pair_types[] = {SOCK_STREAM, SOCK_SEQPACKET};

/* Calls that take a file mode: in which argument, and in which the flags that say whether it counts (-1: always). */
static const struct moded {
  int mode, flags;
  size_t count;
  unsigned calls[4];
} moded[] = {
    {3, 2, 1, {SYS_openat}},
    {2, -1, 3, {SYS_fchmodat, SYS_FCHMODAT2, SYS_mknodat}},
    {1, -1, 1, {SYS_fchmod}},
#ifdef SYS_open
    {2, 1, 1, {SYS_open}},
    {1, -1, 3, {SYS_chmod, SYS_mknod, SYS_creat}},
#endif
};
enum { CREATES = O_CREAT | (O_TMPFILE & ~O_DIRECTORY) };

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ARGUMENT_LOW(index) offsetof(struct seccomp_data, args[index])
#define ARGUMENT_HIGH(index) (ARGUMENT_LOW(index) + 4)
#define ERRNO(code) (SECCOMP_RET_ERRNO | (code))

/* The calls that are not simply allowed, and where each is decided. */
static struct span decided[64];
static size_t decided_count;

/* Where most of the filter ends. */
static target allowed, refused;

static void decide(const unsigned *calls, size_t count, target then) {
  if (decided_count + count > COUNT(decided)) status_fail(EXIT_SETUP, "seccomp", "too many calls");
  for (size_t i = 0; i < count; i++) decided[decided_count++] = (struct span){calls[i], then};
}

static void decide_one(unsigned call, target then) { decide(&call, 1, then); }

static void decide_sockets(bool inet, bool unix_sockets) {
  target denied = filter_give(ERRNO(EACCES)), unsupported = filter_give(ERRNO(EPROTONOSUPPORT));
  target netlink = filter_load(ARGUMENT_LOW(2), filter_any(netlink_protocols, COUNT(netlink_protocols), allowed, unsupported));
  target family = denied;
  if (unix_sockets) family = filter_any(unix_families, COUNT(unix_families), allowed, family);
  if (inet) family = filter_any(inet_families, COUNT(inet_families), allowed, family);
  decide_one(SYS_socket, filter_load(ARGUMENT_LOW(0), filter_test(BPF_JEQ, AF_NETLINK, netlink, family)));
  target type = filter_mask(SOCKET_TYPE_MASK, filter_any(pair_types, COUNT(pair_types), allowed, denied));
  target pair = filter_any(pair_families, COUNT(pair_families), filter_load(ARGUMENT_LOW(1), type), denied);
  decide_one(SYS_socketpair, filter_load(ARGUMENT_LOW(0), pair));
}

/* The kernel reads the low 32 bits of the request only, so the filter must as well. */
static void decide_ioctls(void) {
  decide_one(SYS_ioctl, filter_load(ARGUMENT_LOW(1), filter_any(refused_ioctls, COUNT(refused_ioctls), refused, allowed)));
}

/*
 * No program that runs as its owner: an accomplice outside could run it. Root may choose the group of a file as well;
 * for others the group bit stays allowed, because directories of shared projects carry it.
 */
static void decide_modes(void) {
  uint32_t special = geteuid() == 0 ? S_ISUID | S_ISGID : S_ISUID;
  for (const struct moded *kind = moded; kind < moded + COUNT(moded); kind++) {
    target then = filter_load(ARGUMENT_LOW(kind->mode), filter_test(BPF_JSET, special, refused, allowed));
    if (kind->flags >= 0) then = filter_load(ARGUMENT_LOW(kind->flags), filter_test(BPF_JSET, CREATES, then, allowed));
    decide(kind->calls, kind->count, then);
  }
}

/* Limits of another process: one of no processor time would kill it, the helper included, whatever Landlock says of signals. */
static void decide_limits(void) {
  target high = filter_load(ARGUMENT_HIGH(2), filter_test(BPF_JEQ, 0, allowed, refused));
  target sets = filter_load(ARGUMENT_LOW(2), filter_test(BPF_JEQ, 0, high, refused));
  decide_one(SYS_prlimit64, filter_load(ARGUMENT_LOW(0), filter_test(BPF_JEQ, 0, allowed, sets)));
}

static int by_call(const void *left, const void *right) {
  uint32_t a = ((const struct span *)left)->first, b = ((const struct span *)right)->first;
  return (a > b) - (a < b);
}

/* A span that ends where its successor begins, or goes on in it, needs no bound of its own. */
static size_t span_from(struct span *spans, size_t count, struct span next) {
  if (count && spans[count - 1].first == next.first) count--;
  if (!count || spans[count - 1].then != next.then) spans[count++] = next;
  return count;
}

/*
 * A search tree over all numbers, not a list: to learn which calls are always allowed, the kernel tries the filter
 * with every number when it is loaded.
 */
static target search_calls(target foreign) {
  struct span spans[2 * COUNT(decided) + 2];
  size_t count = span_from(spans, 0, (struct span){0, allowed});
  qsort(decided, decided_count, sizeof *decided, by_call);
  for (size_t i = 0; i < decided_count; i++) {
    count = span_from(spans, count, decided[i]);
    count = span_from(spans, count, (struct span){decided[i].first + 1, allowed});
  }
#ifdef FOREIGN_CALLS
  count = span_from(spans, count, (struct span){FOREIGN_CALLS, foreign});
#else
  (void)foreign;
#endif
  return filter_search(spans, count);
}

static void build(bool inet, bool unix_sockets, bool ipc) {
  target killed = filter_give(SECCOMP_RET_KILL_PROCESS), absent = filter_give(ERRNO(ENOSYS));
  refused = filter_give(ERRNO(EPERM));
  allowed = filter_give(SECCOMP_RET_ALLOW);
  decide(absent_calls, COUNT(absent_calls), absent);
  if (!ipc) decide(ipc_calls, COUNT(ipc_calls), absent);
  decide(refused_calls, COUNT(refused_calls), refused);
  decide_sockets(inet, unix_sockets);
  decide_ioctls();
  decide_modes();
  decide_limits();
  target call = filter_load(offsetof(struct seccomp_data, nr), search_calls(absent));
  filter_load(offsetof(struct seccomp_data, arch), filter_test(BPF_JEQ, NATIVE_ARCH, call, killed));
}

bool seccomp_available(void) {
#ifdef OLLIE_TEST_KERNEL
  if (strcmp(program_invocation_short_name, "no-seccomp") == 0) return false;
#endif
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void seccomp_enter(bool inet, bool unix_sockets, bool ipc) {
  build(inet, unix_sockets, ipc);
  struct sock_fprog filter = filter_program();
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0)
    status_fail(EXIT_SETUP, "seccomp", "%s", strerror(errno));
}
