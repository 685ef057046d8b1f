/*
 * Every process below the helper. The helper is a subreaper: whoever loses its parent becomes its
 * direct child, so "no child left" means "no descendant left", whatever sessions they made.
 *
 * Process numbers are reused, and a tool can make that happen fast. The number of a direct child is safe
 * until the helper reaps it. Any deeper process is pinned by a pidfd first and then shown to be a child of a
 * process that is itself pinned and alive; only then is it signalled. Whoever escapes a pass that way
 * (its parent ended meanwhile) is a direct child in the next one.
 */
#include "helper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SYS_PIDFD_SEND_SIGNAL = 424, SYS_PIDFD_OPEN = 434 };
enum { GIVE_UP_MS = 5000, FREEZE_PASSES = 50, MAX_DEPTH = 64, REAP_AT_MOST = 10000, PATH_SIZE = 128 };
enum { LEAST_PAUSE_US = 100, MOST_PAUSE_US = 20000 };

struct pids {
  pid_t *items;
  size_t count, capacity;
};

/* One pass over the tree. Processes of the group `spare` are counted only. */
struct pass {
  int signal;
  pid_t spare;
  size_t alive;
};

/* A process whose number is known to be its own. The helper and its direct children need no pidfd (-1). */
struct pinned {
  pid_t pid;
  int pidfd, depth;
};

/* The list of direct children stays open: a tool may use up the descriptors of the whole system. -1: no such list. */
static int own_children = -1;
static size_t reaped_so_far;
/* -1: the tree has none. */
static int group = -1;

static void pids_add(struct pids *pids, pid_t pid) {
  if (pids->count == pids->capacity) {
    size_t capacity = pids->capacity ? pids->capacity * 2 : 64;
    pid_t *items = realloc(pids->items, capacity * sizeof *items);
    if (!items) return;
    pids->items = items;
    pids->capacity = capacity;
  }
  pids->items[pids->count++] = pid;
}

static void read_pids(int fd, struct pids *found) {
  char bytes[4096];
  pid_t number = 0;
  ssize_t got;
  for (off_t at = 0; (got = pread(fd, bytes, sizeof bytes, at)) > 0; at += got)
    for (ssize_t i = 0; i < got; i++) {
      if (isdigit((unsigned char)bytes[i])) number = number * 10 + (bytes[i] - '0');
      else if (number) pids_add(found, number);
      if (!isdigit((unsigned char)bytes[i])) number = 0;
    }
  if (number) pids_add(found, number);
}

static void children_of_task(pid_t pid, const char *task, struct pids *found) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, task);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  read_pids(fd, found);
  close(fd);
}

static void listed_children(pid_t pid, struct pids *found) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (!tasks) return;
  for (struct dirent *task; (task = readdir(tasks));)
    if (isdigit((unsigned char)task->d_name[0])) children_of_task(pid, task->d_name, found);
  closedir(tasks);
}

struct state {
  char letter;
  pid_t parent;
};

/* Fields 3 and 4 of stat, counted from the last bracket: the name in field 2 may hold anything. */
static struct state state_of(pid_t pid) {
  char path[PATH_SIZE], line[512];
  struct state state = {'?', 0};
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
  if (fd >= 0) close(fd);
  if (got <= 0) return state;
  line[got] = '\0';
  char *at = line + got;
  while (at > line && *at != ')') at--;
  int parent;
  if (sscanf(at, ") %c %d", &state.letter, &parent) == 2) state.parent = parent;
  return state;
}

static void scanned_children(pid_t pid, struct pids *found) {
  DIR *processes = opendir("/proc");
  if (!processes) return;
  for (struct dirent *entry; (entry = readdir(processes));) {
    pid_t child = (pid_t)atoi(entry->d_name);
    if (child > 0 && state_of(child).parent == pid) pids_add(found, child);
  }
  closedir(processes);
}

static void children_of(const struct pinned *process, struct pids *found) {
  if (own_children < 0) scanned_children(process->pid, found);
  else if (process->depth > 0) listed_children(process->pid, found);
  else read_pids(own_children, found);
}

static int send_signal(const struct pinned *process, int sig) {
  if (process->pidfd < 0) return kill(process->pid, sig);
  return (int)syscall(SYS_PIDFD_SEND_SIGNAL, process->pidfd, sig, NULL, 0);
}

static struct pinned pin(pid_t pid, const struct pinned *above) {
  int pidfd = above->depth > 0 ? (int)syscall(SYS_PIDFD_OPEN, pid, 0) : -1;
  return (struct pinned){pid, pidfd, above->depth + 1};
}

/* The order of the two questions matters: `above` had its number when `process` named that number as its parent. */
static bool belongs(const struct pinned *process, const struct state *state, const struct pinned *above) {
  if (above->depth == 0) return true;
  return process->pidfd >= 0 && state->parent == above->pid && send_signal(above, 0) == 0;
}

static bool gone(const struct state *state) { return state->letter == 'Z' || state->letter == 'X'; }

static void signal_one(const struct pinned *process, const struct pass *pass) {
  if (!pass->spare || getpgid(process->pid) != pass->spare) send_signal(process, pass->signal);
}

static void visit_children(const struct pinned *above, struct pass *pass);

static void visit(pid_t pid, const struct pinned *above, struct pass *pass) {
  struct pinned process = pin(pid, above);
  struct state state = state_of(pid);
  if (belongs(&process, &state, above)) {
    if (process.depth > 1) signal_one(&process, pass);
    if (!gone(&state)) pass->alive++;
    if (!gone(&state) && process.depth < MAX_DEPTH) visit_children(&process, pass);
  }
  if (process.pidfd >= 0) close(process.pidfd);
}

/*
 * Direct children get their signal at once, the youngest first: those of a fork storm are gone by the time that it
 * takes to look at each.
 */
static void visit_children(const struct pinned *above, struct pass *pass) {
  struct pids found = {0};
  children_of(above, &found);
  for (size_t i = found.count; above->depth == 0 && i > 0; i--)
    signal_one(&(struct pinned){found.items[i - 1], -1, 1}, pass);
  for (size_t i = 0; i < found.count; i++) visit(found.items[i], above, pass);
  free(found.items);
}

static size_t signal_tree(int sig, pid_t spare) {
  struct pinned self = {getpid(), -1, 0};
  struct pass pass = {sig, spare, 0};
  visit_children(&self, &pass);
  return pass.alive;
}

bool tree_open(void) {
  char self[PATH_SIZE];
  ssize_t size = readlink("/proc/self", self, sizeof self - 1);
  if (size < 0) return false;
  self[size] = '\0';
  /* A /proc of another pid namespace shows the processes of others under our numbers. */
  if (atoi(self) != getpid()) return false;
#ifdef OLLIE_TEST_KERNEL
  if (strcmp(program_invocation_short_name, "no-children") == 0) return true;
#endif
  own_children = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  return own_children >= 0 || state_of(getpid()).parent == getppid();
}

enum kin reap(void (*reaped)(pid_t pid, int status)) {
  for (int left = REAP_AT_MOST; left > 0; left--) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    if (pid == 0) return KIN_ALIVE;
    if (pid < 0 && errno != EINTR) return KIN_NONE;
    if (pid < 0) continue;
    reaped_so_far++;
    reaped(pid, status);
  }
  return KIN_UNREAPED;
}

/* The group comes last: once its leader has gone, what it started can no longer be found below it. */
void terminate_tree(pid_t group) {
  signal_tree(SIGTERM, group);
  if (group) kill(-group, SIGTERM);
}

/* Stopped processes cannot fork: once two passes find as many, the list is whole. */
static size_t freeze(void (*reaped)(pid_t pid, int status)) {
  size_t before, found = signal_tree(SIGSTOP, 0);
  int passes = 0;
  do {
    reap(reaped);
    before = found;
    found = signal_tree(SIGSTOP, 0);
  } while (found != before && ++passes < FREEZE_PASSES);
  return found;
}

void tree_in_cgroup(int cgroup) { group = cgroup; }

/* Who has left the cgroup, which only a run without a policy can do, is found below the helper as everywhere. */
static size_t end_cgroup(void) {
  size_t count = group < 0 ? 0 : cgroup_count(group);
  return count > 0 && cgroup_kill(group) ? count : 0;
}

size_t kill_tree(void (*reaped)(pid_t pid, int status)) {
  if (reap(reaped) == KIN_NONE) return 0;
  size_t count = end_cgroup();
  if (count == 0) count = freeze(reaped);
  int64_t give_up = now_ms() + GIVE_UP_MS;
  for (long pause_us = LEAST_PAUSE_US; now_ms() < give_up;) {
    size_t before = reaped_so_far;
    signal_tree(SIGKILL, 0);
    if (reap(reaped) == KIN_NONE) break;
    if (reaped_so_far > before) {
      give_up = now_ms() + GIVE_UP_MS;
      pause_us = LEAST_PAUSE_US;
    }
    struct timespec pause = {0, pause_us * 1000};
    nanosleep(&pause, NULL);
    if (pause_us < MOST_PAUSE_US) pause_us *= 2;
  }
  return count;
}
