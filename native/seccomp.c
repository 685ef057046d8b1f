/* The system call filter: what Landlock does not mediate. */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "no system call filter for this architecture"
#endif

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif

enum { X32_BIT = 0x40000000, SOCKET_TYPE_MASK = 0xf };
/* Newer than the oldest system headers that we build with. */
enum { SYS_OPENAT2 = 437, SYS_FCHMODAT2 = 452 };

/*
 * Answered as by a kernel that lacks them. io_uring does its work outside the filter's sight; openat2 has its mode
 * where the filter cannot look. System V and POSIX queues, segments and semaphores are shared by all programs of
 * the user, are in no file tree that Landlock could judge, and outlive the call.
 */
static const unsigned absent_calls[] = {
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_OPENAT2,
    SYS_shmget,         SYS_shmat,          SYS_shmctl,            SYS_msgget,
    SYS_msgsnd,         SYS_msgrcv,         SYS_msgctl,            SYS_semget,
    SYS_semop,          SYS_semtimedop,     SYS_semctl,            SYS_mq_open,
    SYS_mq_unlink,
};

static const unsigned refused_calls[] = {
    SYS_bpf,           SYS_perf_event_open, SYS_userfaultfd,       SYS_add_key,      SYS_request_key,
    SYS_keyctl,        SYS_kexec_load,      SYS_init_module,       SYS_finit_module, SYS_delete_module,
    SYS_ptrace,        SYS_chroot,          SYS_open_by_handle_at, SYS_process_vm_writev,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
};

/* Injecting input into a terminal. */
static const unsigned refused_ioctls[] = {TIOCSTI, TIOCLINUX};

/* AF_UNIX is in where no socket of the user's daemons can be reached, or where the policy opens one. */
static const struct {
  bool inet, unix_sockets;
  size_t count;
  unsigned families[4];
} families[] = {
    {false, false, 1, {AF_NETLINK}},
    {false, true, 2, {AF_NETLINK, AF_UNIX}},
    {true, false, 3, {AF_NETLINK, AF_INET, AF_INET6}},
    {true, true, 4, {AF_NETLINK, AF_INET, AF_INET6, AF_UNIX}},
};
/* Addresses and routes. The other protocols reach other programs, or parts of the kernel that no tool needs. */
static const unsigned netlink_protocols[] = {NETLINK_ROUTE};
static const unsigned pair_families[] = {AF_UNIX};
/* A datagram pair could be sent to any path; connected streams stay connected to their peer. */
static const unsigned pair_types[] = {SOCK_STREAM, SOCK_SEQPACKET};

/* Calls that take a file mode: in which argument, and in which the flags that say whether it counts (-1: always). */
static const struct moded {
  unsigned call;
  int mode, flags;
} moded[] = {
    {SYS_openat, 3, 2},    {SYS_fchmodat, 2, -1}, {SYS_FCHMODAT2, 2, -1},
    {SYS_fchmod, 1, -1},   {SYS_mknodat, 2, -1},
#ifdef SYS_open
    {SYS_open, 2, 1},      {SYS_chmod, 1, -1},    {SYS_mknod, 1, -1},
    {SYS_creat, 1, -1},
#endif
};
enum { CREATES = O_CREAT | (O_TMPFILE & ~O_DIRECTORY) };

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ARGUMENT_LOW(index) offsetof(struct seccomp_data, args[index])
#define ARGUMENT_HIGH(index) (ARGUMENT_LOW(index) + 4)
#define ERRNO(code) (SECCOMP_RET_ERRNO | (code))

static struct sock_filter program[256];
static unsigned short size;

static void emit(unsigned short code, uint32_t value, unsigned char yes, unsigned char no) {
  if (size == COUNT(program)) status_fail(EXIT_SETUP, "seccomp", "filter too long");
  program[size++] = (struct sock_filter)BPF_JUMP(code, value, yes, no);
}

static void load(uint32_t offset) { emit(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void give(uint32_t action) { emit(BPF_RET | BPF_K, action, 0, 0); }

/* If the loaded value is one of these: the action. Else on to the next instruction. */
static void give_for(const unsigned *values, size_t count, uint32_t action) {
  for (size_t i = 0; i < count; i++) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, values[i], 0, 1);
    give(action);
  }
}

/* If the loaded value is none of these: the action. The last comparison jumps over it as well. */
static void give_unless(const unsigned *values, size_t count, uint32_t action) {
  for (size_t i = 0; i < count; i++) emit(BPF_JMP | BPF_JEQ | BPF_K, values[i], (unsigned char)(count - i), 0);
  give(action);
}

/* If the loaded value has one of these bits: the action. Else on to the next instruction. */
static void give_for_bits(uint32_t bits, uint32_t action) {
  emit(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  give(action);
}

/* The instructions between begin and end run for one value only: a system call, or what was loaded since. */
static unsigned short begin(unsigned value) {
  emit(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 0);
  return size;
}

static void end(unsigned short start) {
  give(SECCOMP_RET_ALLOW);
  program[start - 1].jf = (unsigned char)(size - start);
}

static void filter_entry(void) {
  load(offsetof(struct seccomp_data, arch));
  emit(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
  give(SECCOMP_RET_KILL_PROCESS);
  load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  emit(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
  give(ERRNO(ENOSYS));
#endif
}

static void filter_sockets(bool inet, bool unix_sockets) {
  unsigned short start = begin(SYS_socket);
  load(ARGUMENT_LOW(0));
  for (size_t i = 0; i < COUNT(families); i++)
    if (families[i].inet == inet && families[i].unix_sockets == unix_sockets)
      give_unless(families[i].families, families[i].count, ERRNO(EACCES));
  unsigned short netlink = begin(AF_NETLINK);
  load(ARGUMENT_LOW(2));
  give_unless(netlink_protocols, COUNT(netlink_protocols), ERRNO(EPROTONOSUPPORT));
  end(netlink);
  end(start);
  start = begin(SYS_socketpair);
  load(ARGUMENT_LOW(0));
  give_unless(pair_families, COUNT(pair_families), ERRNO(EACCES));
  load(ARGUMENT_LOW(1));
  emit(BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPE_MASK, 0, 0);
  give_unless(pair_types, COUNT(pair_types), ERRNO(EACCES));
  end(start);
}

/* The kernel reads the low 32 bits of the request only, so the filter must as well. */
static void filter_ioctls(void) {
  unsigned short start = begin(SYS_ioctl);
  load(ARGUMENT_LOW(1));
  give_for(refused_ioctls, COUNT(refused_ioctls), ERRNO(EPERM));
  end(start);
}

/*
 * No program that runs as its owner: an accomplice outside could run it. Root may choose the group of a file as well;
 * for others the group bit stays allowed, because directories of shared projects carry it.
 */
static void filter_modes(void) {
  uint32_t special = geteuid() == 0 ? S_ISUID | S_ISGID : S_ISUID;
  for (size_t i = 0; i < COUNT(moded); i++) {
    unsigned short start = begin(moded[i].call);
    if (moded[i].flags >= 0) {
      load(ARGUMENT_LOW(moded[i].flags));
      emit(BPF_JMP | BPF_JSET | BPF_K, CREATES, 1, 0);
      give(SECCOMP_RET_ALLOW);
    }
    load(ARGUMENT_LOW(moded[i].mode));
    give_for_bits(special, ERRNO(EPERM));
    end(start);
  }
}

/* Limits of another process: one of no processor time would kill it, the helper included, whatever Landlock says of signals. */
static void filter_limits(void) {
  static const unsigned self[] = {0};
  unsigned short start = begin(SYS_prlimit64);
  load(ARGUMENT_LOW(0));
  give_for(self, COUNT(self), SECCOMP_RET_ALLOW);
  load(ARGUMENT_LOW(2));
  give_for_bits(UINT32_MAX, ERRNO(EPERM));
  load(ARGUMENT_HIGH(2));
  give_for_bits(UINT32_MAX, ERRNO(EPERM));
  end(start);
}

bool seccomp_available(void) {
#ifdef OLLIE_TEST_KERNEL
  if (strcmp(program_invocation_short_name, "no-seccomp") == 0) return false;
#endif
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void seccomp_enter(bool inet, bool unix_sockets) {
  filter_entry();
  filter_modes();
  filter_ioctls();
  filter_sockets(inet, unix_sockets);
  filter_limits();
  give_for(absent_calls, COUNT(absent_calls), ERRNO(ENOSYS));
  give_for(refused_calls, COUNT(refused_calls), ERRNO(EPERM));
  give(SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {size, program};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0)
    status_fail(EXIT_SETUP, "seccomp", "%s", strerror(errno));
}
