/*
 * What happens between fork and exec. The order of the steps matters:
 * descriptors before rules (a rule needs free numbers, an inherited one must not survive), rules before
 * the capability drop (root may need them to reach a path), no_new_privs before Landlock and seccomp
 * (both demand it), seccomp after the rules are made (it refuses calls that make them; entering them it does not).
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the oldest system headers that we build with. */
enum { SYS_CLOSE_RANGE = 436, CLOSE_ON_EXEC = 1 << 2 };

static void die_with(pid_t helper) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) status_fail(EXIT_SETUP, "parent", "%s", reason(errno));
  if (getppid() != helper) _exit(EXIT_SETUP);
}

/* Before anything is looked at that may not be what it was. */
static void await_places(void) {
  if (!places_hold()) status_fail(EXIT_SETUP, "stale", "granted paths have been replaced");
}

static void enter_cwd(const char *cwd) {
  if (chdir(cwd) == 0) return;
  if (errno == ENOENT) status_fail(EXIT_SETUP, "cwd", "working directory does not exist: %s", cwd);
  status_fail(EXIT_SETUP, "cwd", "%s: %s", cwd, reason(errno));
}

static void set_limit(int resource, uint64_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) < 0) status_fail(EXIT_SETUP, "limits", "%s", reason(errno));
  limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
  limit.rlim_max = limit.rlim_cur;
  if (setrlimit(resource, &limit) < 0) status_fail(EXIT_SETUP, "limits", "%s", reason(errno));
}

static void set_limits(const struct order *order) {
  for (size_t i = 0; i < order->limit_count; i++) set_limit(order->limits[i].resource, order->limits[i].value);
}

/* Kernels before 5.11 lack the flag; only an unsandboxed run can meet them. */
static void close_on_exec(void) {
  if (syscall(SYS_CLOSE_RANGE, 3u, ~0u, CLOSE_ON_EXEC) == 0) return;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) status_fail(EXIT_SETUP, "descriptors", "%s", reason(errno));
  for (rlim_t fd = 3; fd < limit.rlim_cur; fd++) fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}

/* A process is called otherwise outside of its cell, where its caller is. */
static void tell_outer_number(void) {
  char digits[16] = "";
  if (readlinkat(PROC_FD, "self", digits, sizeof digits - 1) > 0) status_pid((pid_t)atoi(digits));
}

static int rules_of_cell(void) {
  status_replay();
  return RULESET_FD;
}

/*
 * Of one's own network any part may be used, and one's own queues. A socket may lie in any granted directory, and by
 * name it may be in the same network: a cell has them where Landlock tells those of others apart.
 */
static void filter(const struct order *order) {
  bool told_apart = order->cell && landlock_abi() >= 9;
  seccomp_enter(order->network || order->cell, order->unix_sockets || told_apart, order->cell);
}

void confine(const struct order *order) {
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) status_fail(EXIT_SETUP, "no_new_privs", "%s", reason(errno));
  if (seccomp_available()) filter(order);
}

static void enforce(const struct order *order) {
  if (order->cell) tell_outer_number();
  int ruleset = order->inside ? rules_of_cell() : landlock_compile(order, seccomp_available());
  if (!order->inside) confine(order);
  landlock_enter(ruleset);
}

void child_begin(pid_t helper) {
  die_with(helper);
  if (setsid() < 0) status_fail(EXIT_SETUP, "session", "%s", reason(errno));
  give_back_signals();
}

void child_main(const struct order *order) {
  umask(order->umask);
  await_places();
  enter_cwd(order->cwd);
  set_limits(order);
  close_on_exec();
  if (order->door && fcntl(DOOR_FD, F_SETFD, 0) < 0) status_fail(EXIT_SETUP, "door", "%s", reason(errno));
  if (order->enforce) enforce(order);
  status_ready();
  execute(order);
}
