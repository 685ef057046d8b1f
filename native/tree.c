/*
 * Every process below the helper. The helper is a subreaper: whoever loses its parent becomes its
 * direct child, so "no child left" means "no descendant left", whatever sessions they made.
 */
#include "helper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GIVE_UP_MS = 5000, FREEZE_PASSES = 50, PATH_SIZE = 128 };

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

/* False when the kernel keeps no such file (CONFIG_PROC_CHILDREN). */
static bool children_of_task(pid_t pid, const char *task, struct pids *found) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, task);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  for (int child; fscanf(file, "%d", &child) == 1;) pids_add(found, child);
  fclose(file);
  return true;
}

static void children_of(pid_t pid, struct pids *found) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (!tasks) return;
  for (struct dirent *task; (task = readdir(tasks));)
    if (isdigit((unsigned char)task->d_name[0])) children_of_task(pid, task->d_name, found);
  closedir(tasks);
}

/* Field 4 of stat, counted from the last bracket: the name in field 2 may hold anything. */
static pid_t parent_of(const char *pid) {
  char path[PATH_SIZE], line[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  size_t got = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[got] = '\0';
  char *at = line + got;
  while (at > line && *at != ')') at--;
  int parent;
  return sscanf(at, ") %*c %d", &parent) == 1 ? parent : 0;
}

static void scan_children_of(pid_t pid, struct pids *found) {
  DIR *processes = opendir("/proc");
  if (!processes) return;
  for (struct dirent *entry; (entry = readdir(processes));)
    if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == pid)
      pids_add(found, (pid_t)atoi(entry->d_name));
  closedir(processes);
}

static bool kernel_lists_children(void) {
#ifdef OLLIE_TEST_NO_CHILDREN
  return false;
#else
  return access("/proc/thread-self/children", R_OK) == 0;
#endif
}

void descendants(struct pids *found) {
  void (*children)(pid_t, struct pids *) = kernel_lists_children() ? children_of : scan_children_of;
  found->count = 0;
  children(getpid(), found);
  for (size_t i = 0; i < found->count; i++) children(found->items[i], found);
}

bool reap(void (*reaped)(pid_t pid, int status)) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    if (pid > 0) reaped(pid, status);
    else if (pid == 0) return true;
    else if (errno != EINTR) return false;
  }
}

void terminate_tree(pid_t group) {
  static struct pids found;
  descendants(&found);
  kill(-group, SIGTERM);
  for (size_t i = 0; i < found.count; i++)
    if (getpgid(found.items[i]) != group) kill(found.items[i], SIGTERM);
}

static void signal_all(struct pids *found, int sig) {
  descendants(found);
  for (size_t i = 0; i < found->count; i++) kill(found->items[i], sig);
}

/* Stopped processes cannot fork: once two passes find as many, the list is whole. */
static void freeze(struct pids *found) {
  size_t before;
  int passes = 0;
  signal_all(found, SIGSTOP);
  do {
    before = found->count;
    signal_all(found, SIGSTOP);
  } while (found->count != before && ++passes < FREEZE_PASSES);
}

size_t kill_tree(void (*reaped)(pid_t pid, int status)) {
  static struct pids found;
  if (!reap(reaped)) return 0;
  freeze(&found);
  size_t count = found.count;
  int64_t give_up = now_ms() + GIVE_UP_MS;
  long pause_us = 100;
  while (now_ms() < give_up) {
    signal_all(&found, SIGKILL);
    if (!reap(reaped)) break;
    struct timespec pause = {0, pause_us * 1000};
    nanosleep(&pause, NULL);
    if (pause_us < 20000) pause_us *= 2;
  }
  return count;
}
