/*
 * A cell: private mount, pid and ipc namespaces, with the network off a private network as well, that hold only what
 * the policy grants. The first process in it does the work (`run` one order, `serve` many), and its end is the end of
 * everything inside. The process that made it stays outside as its keeper, which passes signals on.
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
  const struct order *order;
  /* To the keeper, until the cell is made: what went wrong. */
  int failures[2];
  uid_t user;
  gid_t group;
} cell;

static bool put(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  if (fd >= 0) close(fd);
  return done;
}

/* The user stays the same inside; nobody else has a name there. */
static void keep_identity(void) {
  char text[64];
  if (!put("/proc/self/setgroups", "deny")) status_fail(EXIT_SETUP, "cell", "groups: %s", reason(errno));
  snprintf(text, sizeof text, "%u %u 1\n", cell.group, cell.group);
  if (!put("/proc/self/gid_map", text)) status_fail(EXIT_SETUP, "cell", "group map: %s", reason(errno));
  snprintf(text, sizeof text, "%u %u 1\n", cell.user, cell.user);
  if (!put("/proc/self/uid_map", text)) status_fail(EXIT_SETUP, "cell", "user map: %s", reason(errno));
}

static void raise_loopback(void) {
  struct ifreq request = {.ifr_name = "lo"};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
  request.ifr_flags |= IFF_UP;
  if (!up || ioctl(fd, SIOCSIFFLAGS, &request) < 0) status_fail(EXIT_SETUP, "cell", "loopback: %s", reason(errno));
  close(fd);
}

static void keep(int fd, int number, const char *what) {
  if (fd < 0 || dup3(fd, number, O_CLOEXEC) < 0) status_fail(EXIT_SETUP, "cell", "%s: %s", what, reason(errno));
  close(fd);
}

/* Process numbers of the system are told by a /proc of the system. */
static void keep_outer_proc(void) { keep(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC), PROC_FD, "/proc"); }

/* The same for each job: made once, and what there is to say about them is said by each. */
static void keep_rules(void) {
  status_keep();
  keep(landlock_compile(cell.order, seccomp_available()), RULESET_FD, "rules");
}

static void settle(bool own_users, bool lasting) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct pollfd keeper = {cell.failures[1], 0, 0};
  if (poll(&keeper, 1, 0) > 0) _exit(EXIT_SETUP); /* it died before the line above */
  if (own_users) keep_identity();
  if (!cell.order->network) raise_loopback();
  keep_outer_proc();
  /* Before they are mounted: what is replaced in between is then seen to be. */
  if (lasting && !places_remembered()) status_fail(EXIT_SETUP, "cell", "nobody looks after the granted paths");
  view_build(cell.order);
  if (lasting) {
    keep_rules();
    confine(cell.order);
  }
  if (!tree_open()) status_fail(EXIT_SETUP, "cell", "/proc does not show the cell's processes");
}

static pid_t divide(bool own_users) {
  unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | SIGCHLD;
  if (!cell.order->network) flags |= CLONE_NEWNET;
  if (own_users) flags |= CLONE_NEWUSER;
  return (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, 0);
}

/* The order matters: nobody but keeper and cell may hold an end of the pipe. */
static bool begin(const struct order *order, bool lasting) {
  cell.order = order;
  cell.user = geteuid();
  cell.group = getegid();
  return (!lasting || places_watch(order)) && pipe2(cell.failures, O_CLOEXEC) == 0;
}

/* Whoever may not divide namespaces may do so as the owner of a user namespace. */
pid_t cell_divide(const struct order *order, bool lasting) {
#ifdef OLLIE_TEST_KERNEL
  if (strcmp(program_invocation_short_name, "no-cells") == 0) return errno = EPERM, -1;
#endif
  if (!begin(order, lasting)) return -1;
  bool own_users = cell.user != 0;
  pid_t pid = divide(own_users);
  if (pid < 0 && !own_users) pid = divide(own_users = true);
  if (pid != 0) {
    places_leave();
    close(cell.failures[1]);
    return pid;
  }
  close(cell.failures[0]);
  status_open(cell.failures[1]);
  settle(own_users, lasting);
  close(cell.failures[1]);
  return 0;
}

bool cell_failure(struct status *status) {
  static struct list received;
  char bytes[4096];
  for (ssize_t got; (got = read(cell.failures[0], bytes, sizeof bytes)) != 0;)
    if (got > 0) list_append(&received, bytes, (size_t)got);
    else if (errno != EINTR) break;
  list_add(&received, "");
  status_parse(&received, status);
  return status->failed;
}

void cell_adopt(struct order *order) {
  order->cell = true;
  order->network = cell.order->network;
  order->best_effort = cell.order->best_effort;
  order->unix_sockets = cell.order->unix_sockets;
}

/* The writing end of the pipe is open until the cell is. */
static bool is_made(void) {
  struct pollfd failures = {cell.failures[0], 0, 0};
  return poll(&failures, 1, 0) > 0 && (failures.revents & POLLHUP);
}

/* A cell that is not made yet hears no signal: a path that does not answer may hold it. Nothing has run in it. */
static void pass_on(int signals, pid_t pid) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD) kill(pid, is_made() ? (int)info.ssi_signo : SIGKILL);
}

int cell_keep(pid_t pid, int caller) {
  sigset_t held;
  sigprocmask(SIG_BLOCK, NULL, &held);
  int signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK), status;
  struct pollfd fds[] = {{signals, POLLIN, 0}, {caller, 0, 0}};
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[0].revents) pass_on(signals, pid);
    if (fds[1].revents) {
      kill(pid, SIGKILL);
      fds[1].fd = -1;
    }
  }
  return status;
}
