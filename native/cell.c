/*
 * A cell: private mount, pid and ipc namespaces, with the network off a private network as well, that hold only what
 * the policy grants. The first process in it does the work (`run` one order, `serve` many), and its end is the end of
 * everything inside. The process that made it stays outside as its keeper: it passes signals on, and says whether
 * the granted paths still lead to what was mounted.
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

/* A granted path as it was when the cell was made; no device and no inode: it was not there. */
struct place {
  dev_t device;
  ino_t inode;
};

static struct {
  const struct order *order;
  struct place *places;
  /* Between keeper and cell: a byte asks, a byte answers. */
  int inside, outside;
  int failures[2];
  uid_t user;
  gid_t group;
} cell;

static struct place look(const char *path) {
  struct stat info;
  if (stat(path, &info) < 0) return (struct place){0, 0};
  return (struct place){info.st_dev, info.st_ino};
}

static void remember_places(void) {
  for (size_t i = 0; i < cell.order->grant_count; i++) cell.places[i] = look(cell.order->grants[i].path);
}

static bool places_hold(void) {
  for (size_t i = 0; i < cell.order->grant_count; i++) {
    struct place now = look(cell.order->grants[i].path);
    if (now.device != cell.places[i].device || now.inode != cell.places[i].inode) return false;
  }
  return true;
}

static bool put(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  if (fd >= 0) close(fd);
  return done;
}

/* The user stays the same inside; nobody else has a name there. */
static void keep_identity(void) {
  char text[64];
  if (!put("/proc/self/setgroups", "deny")) status_fail(EXIT_SETUP, "cell", "groups: %s", strerror(errno));
  snprintf(text, sizeof text, "%u %u 1\n", cell.group, cell.group);
  if (!put("/proc/self/gid_map", text)) status_fail(EXIT_SETUP, "cell", "group map: %s", strerror(errno));
  snprintf(text, sizeof text, "%u %u 1\n", cell.user, cell.user);
  if (!put("/proc/self/uid_map", text)) status_fail(EXIT_SETUP, "cell", "user map: %s", strerror(errno));
}

static void raise_loopback(void) {
  struct ifreq request = {.ifr_name = "lo"};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
  request.ifr_flags |= IFF_UP;
  if (!up || ioctl(fd, SIOCSIFFLAGS, &request) < 0) status_fail(EXIT_SETUP, "cell", "loopback: %s", strerror(errno));
  close(fd);
}

static void keep(int fd, int number, const char *what) {
  if (fd < 0 || dup3(fd, number, O_CLOEXEC) < 0) status_fail(EXIT_SETUP, "cell", "%s: %s", what, strerror(errno));
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
  struct pollfd keeper = {cell.inside, 0, 0};
  if (poll(&keeper, 1, 0) > 0) _exit(EXIT_SETUP); /* it died before the line above */
  if (own_users) keep_identity();
  if (!cell.order->network) raise_loopback();
  keep_outer_proc();
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

static bool open_lines(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 || pipe2(cell.failures, O_CLOEXEC) < 0) return false;
  cell.inside = pair[0];
  cell.outside = pair[1];
  return true;
}

static bool begin(const struct order *order) {
  cell.order = order;
  cell.places = calloc(order->grant_count + 1, sizeof *cell.places);
  cell.user = geteuid();
  cell.group = getegid();
  if (!cell.places || !open_lines()) return false;
  remember_places();
  return true;
}

/* Whoever may not divide namespaces may do so as the owner of a user namespace. */
pid_t cell_divide(const struct order *order, bool lasting) {
#ifdef OLLIE_TEST_KERNEL
  if (strcmp(program_invocation_short_name, "no-cells") == 0) return errno = EPERM, -1;
#endif
  if (!begin(order)) return -1;
  bool own_users = cell.user != 0;
  pid_t pid = divide(own_users);
  if (pid < 0 && !own_users) pid = divide(own_users = true);
  if (pid != 0) {
    close(cell.inside);
    close(cell.failures[1]);
    return pid;
  }
  close(cell.outside);
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

bool cell_is_current(void) {
  char byte = '?';
  while (write(cell.inside, &byte, 1) < 0)
    if (errno != EINTR) return false;
  ssize_t got;
  while ((got = read(cell.inside, &byte, 1)) < 0 && errno == EINTR) continue;
  return got == 1 && byte == 'y';
}

/* Answers as long as the cell is there. */
static bool answer(void) {
  char byte;
  ssize_t got = read(cell.outside, &byte, 1);
  if (got < 0) return errno == EINTR;
  byte = places_hold() ? 'y' : 'n';
  return got == 1 && write(cell.outside, &byte, 1) == 1;
}

static void pass_on(int signals, pid_t pid) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD) kill(pid, (int)info.ssi_signo);
}

int cell_keep(pid_t pid) {
  sigset_t held;
  sigprocmask(SIG_BLOCK, NULL, &held);
  int signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK), status;
  struct pollfd fds[] = {{signals, POLLIN, 0}, {cell.outside, POLLIN, 0}};
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[0].revents) pass_on(signals, pid);
    if (fds[1].revents && !answer()) fds[1].fd = -1;
  }
  return status;
}
