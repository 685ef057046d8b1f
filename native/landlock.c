/* Landlock with raw system calls and own constants: system headers are older than kernels. */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SYS_OPENAT2 = 437, SYS_CREATE_RULESET = 444, SYS_ADD_RULE = 445, SYS_RESTRICT_SELF = 446 };
enum { CREATE_VERSION = 1 << 0, CREATE_ERRATA = 1 << 1, RULE_PATH_BENEATH = 1, LOG_NEW_EXEC_ON = 1 << 1, RESOLVE_NO_SYMLINKS = 4 };

#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_REMOVE_DIR (1ULL << 4)
#define FS_REMOVE_FILE (1ULL << 5)
#define FS_MAKE_CHAR (1ULL << 6)
#define FS_MAKE_DIR (1ULL << 7)
#define FS_MAKE_REG (1ULL << 8)
#define FS_MAKE_SOCK (1ULL << 9)
#define FS_MAKE_FIFO (1ULL << 10)
#define FS_MAKE_BLOCK (1ULL << 11)
#define FS_MAKE_SYM (1ULL << 12)
#define FS_REFER (1ULL << 13)
#define FS_TRUNCATE (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)
#define FS_RESOLVE_UNIX (1ULL << 16)
#define FS_FIRST ((1ULL << 13) - 1)
#define NET_BIND_TCP (1ULL << 0)
#define NET_CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_UNIX (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)

/* Devices are never made by a tool: MAKE_CHAR and MAKE_BLOCK are in no class. */
#define READ (FS_READ_FILE | FS_READ_DIR)
#define WRITE                                                                                      \
  (READ | FS_WRITE_FILE | FS_TRUNCATE | FS_REFER | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR |  \
   FS_MAKE_REG | FS_MAKE_SOCK | FS_MAKE_FIFO | FS_MAKE_SYM | FS_IOCTL_DEV)

static const uint64_t class_rights[GRANT_CLASSES] = {
    [GRANT_RO] = READ, [GRANT_ROX] = READ | FS_EXECUTE, [GRANT_RW] = WRITE, [GRANT_RWX] = WRITE | FS_EXECUTE};

/* Rights that a rule on something else than a directory may name; others give EINVAL. */
static const uint64_t file_rights = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV | FS_RESOLVE_UNIX;

/*
 * What each ABI adds, and what a kernel before it leaves open. `filtered`: the seccomp filter closes
 * the same gap, so it is one only without the filter. ABI 2 (refer) needs no gap: without it moves
 * between directories are always refused. ABI 7 adds logging, ABI 8 thread sync: nothing to miss.
 */
static const struct level {
  int abi;
  uint64_t fs, net, scoped;
  const char *gap;
  bool filtered;
} levels[] = {
    {1, FS_FIRST, 0, 0, NULL, false},
    {2, FS_REFER, 0, 0, NULL, false},
    {3, FS_TRUNCATE, 0, 0, "truncate", false},
    {4, 0, NET_BIND_TCP | NET_CONNECT_TCP, 0, NULL, false},
    {5, FS_IOCTL_DEV, 0, 0, "device-ioctl", false},
    {6, 0, 0, SCOPE_ABSTRACT_UNIX, "abstract-unix", true},
    {6, 0, 0, SCOPE_SIGNAL, "signals", false},
    {9, FS_RESOLVE_UNIX, 0, 0, "unix-paths", true},
};

struct ruleset {
  uint64_t fs, net, scoped;
};

struct path_beneath {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

int landlock_abi(void) {
#ifdef OLLIE_TEST_KERNEL
  int named;
  if (sscanf(program_invocation_short_name, "abi-%d", &named) == 1) return named;
#endif
  long abi = syscall(SYS_CREATE_RULESET, NULL, 0, CREATE_VERSION);
  return abi > 0 ? (int)abi : 0;
}

int landlock_errata(void) {
  long errata = syscall(SYS_CREATE_RULESET, NULL, 0, CREATE_ERRATA);
  return errata > 0 ? (int)errata : 0;
}

bool has_own_network(const struct order *order) { return order->cell && !order->network; }

static struct ruleset handled(int abi, bool network) {
  struct ruleset rules = {0};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    if (levels[i].abi > abi) continue;
    rules.fs |= levels[i].fs;
    rules.scoped |= levels[i].scoped;
    if (!network) rules.net |= levels[i].net;
  }
  return rules;
}

/* Without best_effort a kernel that lacks a layer is refused; with it the layer is named as missing. */
static void lacks(const struct order *order, const char *layer) {
  if (!order->best_effort)
    status_fail(EXIT_SETUP, "landlock", "this kernel cannot enforce %s, and general.best_effort is false", layer);
  status_missing(layer);
}

/* The filter closes sockets, unless the policy opens one. Those of another network have no name here. */
static bool closed_otherwise(const struct order *order, const struct level *level, bool filtered) {
  if (!level->filtered) return false;
  return (filtered && !order->unix_sockets) || (level->scoped && has_own_network(order));
}

/* What listens on a socket of the policy acts for the tool, and no layer binds it. */
static void report_sockets(const struct order *order, int abi) {
  if (!order->unix_sockets) return;
  status_missing("unix-sockets");
  if (abi >= 9) return;
  status_note("network.unix: this kernel cannot tell sockets apart; every socket that %s is open",
              order->cell ? "lies in a granted directory" : "the user may connect to");
}

static void report_gaps(const struct order *order, int abi, bool filtered) {
  if (!order->cell) status_missing("cells");
  report_sockets(order, abi);
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    const struct level *level = &levels[i];
    if (level->abi > abi && level->gap && !closed_otherwise(order, level, filtered)) lacks(order, level->gap);
  }
  if (filtered) return;
  lacks(order, "seccomp");
  if (!order->network && !order->cell) lacks(order, "network");
}

/*
 * Grants are given without links. One that has become a link since was moved by somebody who may write there,
 * most likely a tool that wants its target: the run is refused.
 */
static int open_without_links(const char *path) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {O_PATH | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS};
  return (int)syscall(SYS_OPENAT2, AT_FDCWD, path, &how, sizeof how);
}

/* Absent for this user: nothing is granted, so leaving it out only narrows. */
static bool absent(int error) { return error == ENOENT || error == ENOTDIR || error == EACCES; }

static void skip_or_fail(const struct order *order, const char *path) {
  if (errno == ELOOP) status_fail(EXIT_SETUP, "landlock", "%s: is or has become a symbolic link; not granted", path);
  if (!absent(errno) || !order->best_effort) status_fail(EXIT_SETUP, "landlock", "%s: %s", path, reason(errno));
  status_note("%s: %s; not granted", path, reason(errno));
}

/* Sockets of others are connected to only under their own name, never because a directory is granted. */
static uint64_t rights_on(const struct grant *grant, mode_t mode) {
  uint64_t rights = class_rights[grant->access];
  if (S_ISSOCK(mode)) rights |= FS_RESOLVE_UNIX;
  return S_ISDIR(mode) ? rights : rights & file_rights;
}

static void add_rule(int ruleset, const struct grant *grant, uint64_t fs, int fd) {
  struct stat info;
  if (fstat(fd, &info) < 0) status_fail(EXIT_SETUP, "landlock", "%s: %s", grant->path, reason(errno));
  struct path_beneath rule = {rights_on(grant, info.st_mode) & fs, fd};
  if (syscall(SYS_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0) return;
  /* Pipes and the like (/dev/stdout of a pipeline) take no rule and need none. */
  if (errno != EBADFD) status_fail(EXIT_SETUP, "landlock", "rule for %s: %s", grant->path, reason(errno));
  status_note("%s: takes no rule; not granted", grant->path);
}

static void grant_path(const struct order *order, int ruleset, const struct grant *grant, uint64_t fs) {
  int fd = open_without_links(grant->path);
  if (fd < 0) {
    skip_or_fail(order, grant->path);
    return;
  }
  add_rule(ruleset, grant, fs, fd);
  close(fd);
}

static void grant_view(const struct order *order, int ruleset, uint64_t fs) {
  struct grant own[VIEW_GRANTS];
  for (size_t i = 0, count = view_grants(order, own); i < count; i++) grant_path(order, ruleset, &own[i], fs);
}

int landlock_compile(const struct order *order, bool filtered) {
  int abi = landlock_abi();
  if (abi == 0)
    status_fail(EXIT_SETUP, "landlock", "landlock unavailable: start toolsrv with --yolo to run unsandboxed");
  report_gaps(order, abi, filtered);
  struct ruleset rules = handled(abi, order->network || has_own_network(order));
  int ruleset = (int)syscall(SYS_CREATE_RULESET, &rules, sizeof rules, 0);
  if (ruleset < 0) status_fail(EXIT_SETUP, "landlock", "ruleset: %s", reason(errno));
  for (size_t i = 0; i < order->grant_count; i++)
    if (!order->cell || !view_replaces(order->grants[i].path)) grant_path(order, ruleset, &order->grants[i], rules.fs);
  if (order->cell) grant_view(order, ruleset, rules.fs);
  return ruleset;
}

void landlock_enter(int ruleset) {
  /* ABI 7 logs denials after the exec only on request. */
  unsigned flags = landlock_abi() >= 7 ? LOG_NEW_EXEC_ON : 0;
  if (syscall(SYS_RESTRICT_SELF, ruleset, flags) < 0)
    status_fail(EXIT_SETUP, "landlock", "restrict: %s", reason(errno));
  close(ruleset);
}
