/*
 * Whether a cell still shows what is there: where granted paths, links and the working directory lead, and what is mounted
 * below them. A process outside looks, for a file system that does not answer (its server is dead) holds whoever asks,
 * and neither the keeper of the cell nor the first process in it may be held.
 */
#include "helper.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SYS_CLOSE_RANGE = 436, ANSWER_MS = 1000 };

/* In memory that the process that looks, the cell and its jobs share up to their exec. */
struct looks {
  /* The numbers of the last look that was asked for, and of the last that is done. */
  _Atomic uint32_t asked, done;
  /* For ever: something leads elsewhere, or the answer took too long. */
  _Atomic bool stale;
};

/* Wakes the process that looks: a byte, whichever. */
static int line = -1;
static struct looks *looks;
/* The look that this job waits for. */
static uint32_t ticket;

/* Of no device and no inode: it is not there. */
static void look_at_path(const char *path, struct list *seen) {
  struct stat info;
  memset(&info, 0, sizeof info);
  if (stat(path, &info) < 0) info.st_dev = info.st_ino = 0;
  list_append(seen, (const char *)&info.st_dev, sizeof info.st_dev);
  list_append(seen, (const char *)&info.st_ino, sizeof info.st_ino);
}

static void look_at_link(const char *path, struct list *seen) {
  char target[4096];
  ssize_t length = readlink(path, target, sizeof target - 1);
  target[length > 0 ? length : 0] = '\0';
  list_add(seen, target);
}

static void look(const struct order *order, struct list *seen) {
  seen->length = 0;
  if (order->cwd) look_at_path(order->cwd, seen);
  for (size_t i = 0; i < order->grant_count; i++) look_at_path(order->grants[i].path, seen);
  for (size_t i = 0; i < order->link_count; i++) look_at_link(order->links[i], seen);
}

static void answer(uint32_t number, bool same) {
  if (!same) looks->stale = true;
  looks->done = number;
  syscall(SYS_futex, &looks->done, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Until the cell goes. Mounts are looked at whenever one comes or goes: a later one may be known by the same numbers. */
__attribute__((noreturn)) static void look_on(const struct order *order, int table) {
  struct list before = {0}, now = {0};
  struct pollfd fds[] = {{0, POLLIN, 0}, {table, POLLPRI, 0}};
  bool same_mounts = true;
  char bytes[64] = "y";
  look(order, &before);
  if (write(0, bytes, 1) != 1) _exit(0);
  for (;;) {
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[1].revents) same_mounts = same_mounts && mounts_are_same(order);
    if (!fds[0].revents) continue;
    if (read(0, bytes, sizeof bytes) <= 0) _exit(0);
    uint32_t number = looks->asked;
    if (same_mounts) look(order, &now);
    answer(number, same_mounts && list_equals(&before, &now));
  }
}

/* Holds nothing that belongs to others: their end must be seen. */
__attribute__((noreturn)) static void watch(const struct order *order, int asked, pid_t keeper) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != keeper) _exit(EXIT_SETUP);
  if (dup2(asked, 0) < 0 || syscall(SYS_CLOSE_RANGE, 1u, ~0u, 0) < 0) _exit(EXIT_SETUP);
  int table = mounts_open(order);
  if (table < 0) _exit(EXIT_SETUP);
  look_on(order, table);
}

bool places_watch(const struct order *order) {
  int pair[2];
  pid_t keeper = getpid();
  looks = mmap(NULL, sizeof *looks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (looks == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return false;
  pid_t pid = fork();
  if (pid == 0) watch(order, pair[1], keeper);
  close(pair[1]);
  line = pair[0];
  return pid > 0;
}

void places_leave(void) {
  if (line >= 0) close(line);
  line = -1;
}

bool places_remembered(void) {
  char byte;
  return read(line, &byte, 1) == 1;
}

bool places_hold_so_far(uint32_t *next) {
  *next = looks->asked + 1;
  return !looks->stale;
}

void places_expect(uint32_t number) { ticket = number; }

void places_ask(uint32_t number) {
  char byte = '?';
  looks->asked = number;
  /* A full line is one that nobody reads: the jobs that wait find out. */
  if (send(line, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno != EAGAIN) looks->stale = true;
}

static bool is_done(uint32_t done) { return (int32_t)(done - ticket) >= 0; }

bool places_hold(void) {
  if (!looks) return true;
  int64_t late = now_ms() + ANSWER_MS;
  for (uint32_t done; !looks->stale && !is_done(done = looks->done);) {
    int64_t left = late - now_ms();
    if (left <= 0) looks->stale = true;
    struct timespec wait = {left / 1000, left % 1000 * 1000000};
    if (left > 0) syscall(SYS_futex, &looks->done, FUTEX_WAIT, done, &wait, NULL, 0);
  }
  return !looks->stale;
}
