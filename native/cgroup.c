/*
 * Process trees by control group: everything in one ends with a single write, also what has a session of its own, and
 * what is being forked meanwhile. That needs a cgroup (version 2) which this user may divide; elsewhere there is none to
 * take, and whoever asks does without.
 *
 * Below the cgroup of this process, each server has a directory, locked for as long as it or a job of it is alive, and
 * in it one for each run at a time, which is taken again after its run. A directory that nobody locks belongs to a server
 * that has died: what is left in it is ended, and it is removed. The lock, unlike a process number, means the same in
 * every container.
 *
 * A directory that was killed is not taken again: Linux 6.18 also kills what is started into it (CLONE_INTO_CGROUP)
 * later. A process of the run marks it so before.
 */
#include "helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { SYS_CLONE3 = 435, KEPT_AT_MOST = 64, NAME_SIZE = 32, TRIES = 8, IN_USE = 0755, USED_UP = 0700 };
#define INTO_CGROUP 0x200000000ULL
#define SERVER "ollie-sandbox-%d-%d"

/* -1: no cgroup is delegated. */
static int pool = -1;
static int waiting[KEPT_AT_MOST];
static size_t waiting_count;
static unsigned made;

/* What follows `begin` in the first line that begins so, without its end of line. Cut after `size`. */
static bool find_line(const char *file, const char *begin, char *rest, size_t size) {
  FILE *lines = fopen(file, "re");
  char *line = NULL;
  size_t capacity = 0;
  bool found = false;
  while (lines && !found && getline(&line, &capacity, lines) >= 0) {
    line[strcspn(line, "\n")] = '\0';
    found = strncmp(line, begin, strlen(begin)) == 0 && strlen(line + strlen(begin)) < size;
    if (found) strcpy(rest, line + strlen(begin));
  }
  free(line);
  if (lines) fclose(lines);
  return found;
}

/* Fields 4 and 5 of mountinfo: which part of the hierarchy is mounted, and where. */
static bool find_mount(char *root, char *point) {
  FILE *mounts = fopen("/proc/self/mountinfo", "re");
  char *line = NULL;
  size_t capacity = 0;
  bool found = false;
  while (mounts && !found && getline(&line, &capacity, mounts) >= 0)
    found = strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %1023s %1023s", root, point) == 2;
  free(line);
  if (mounts) fclose(mounts);
  /* Names with blanks are escaped; nobody mounts it there. */
  return found && !strchr(root, '\\') && !strchr(point, '\\');
}

static int open_directory(int at, const char *path) { return openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

static int open_own(void) {
  char path[1024], root[1024], point[1024], whole[2048];
  if (!find_line("/proc/self/cgroup", "0::", path, sizeof path) || !find_mount(root, point)) return -1;
  /* It lies outside of what this process may know. */
  if (strncmp(path, "/..", 3) == 0) return -1;
  size_t hidden = strcmp(root, "/") == 0 ? 0 : strlen(root);
  if (strncmp(path, root, hidden) != 0) return -1;
  snprintf(whole, sizeof whole, "%s%s", point, path + hidden);
  return open_directory(AT_FDCWD, whole);
}

/* systemd marks those that it leaves to others, and keeps order in the rest. */
static bool is_delegated(int own) {
  char mark = '0';
  if (access("/run/systemd/system", F_OK) < 0) return true;
  if (fgetxattr(own, "user.delegate", &mark, 1) == 1) return mark == '1';
  return fgetxattr(own, "trusted.delegate", &mark, 1) == 1 && mark == '1';
}

bool cgroup_kill(int cgroup) {
  fchmod(cgroup, USED_UP);
  int fd = openat(cgroup, "cgroup.kill", O_WRONLY | O_CLOEXEC);
  bool done = fd >= 0 && write(fd, "1", 1) == 1;
  if (fd >= 0) close(fd);
  return done;
}

/* The killed leave their cgroup a little later; a directory that is still in use is left to the next server. */
static void remove_runs(int server) {
  DIR *runs = fdopendir(dup(server));
  if (!runs) return;
  for (struct dirent *run; (run = readdir(runs));) {
    if (run->d_type != DT_DIR || run->d_name[0] == '.') continue;
    int fd = open_directory(server, run->d_name);
    if (fd < 0) continue;
    cgroup_kill(fd);
    for (int tries = TRIES; unlinkat(server, run->d_name, AT_REMOVEDIR) < 0 && errno == EBUSY && tries > 0; tries--) usleep(1000);
    close(fd);
  }
  closedir(runs);
}

/* Others may have cgroups whose names begin like ours. */
static bool is_server(const char *name) {
  int pid, attempt, length = 0;
  return sscanf(name, SERVER "%n", &pid, &attempt, &length) == 2 && name[length] == '\0';
}

static void sweep(int own) {
  DIR *servers = fdopendir(dup(own));
  if (!servers) return;
  for (struct dirent *server; (server = readdir(servers));) {
    if (!is_server(server->d_name)) continue;
    int fd = open_directory(own, server->d_name);
    if (fd < 0) continue;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
      remove_runs(fd);
      unlinkat(own, server->d_name, AT_REMOVEDIR);
    }
    close(fd);
  }
  closedir(servers);
}

/* Whoever sweeps between the two steps takes the new directory away: then it has another name. */
static int make_server(int own) {
  char name[NAME_SIZE];
  struct stat info;
  for (int attempt = 0; attempt < TRIES; attempt++) {
    snprintf(name, sizeof name, SERVER, getpid(), attempt);
    if (mkdirat(own, name, 0755) < 0) {
      if (errno == EEXIST) continue;
      return -1;
    }
    int fd = open_directory(own, name);
    if (fd < 0) continue;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstatat(own, name, &info, 0) == 0) return fd;
    close(fd);
  }
  return -1;
}

static int make_run(void) {
  char name[NAME_SIZE];
  if (pool < 0) return -1;
  snprintf(name, sizeof name, "%u", made++);
  if (mkdirat(pool, name, IN_USE) < 0) return -1;
  int fd = open_directory(pool, name);
  if (fd >= 0) fchmod(fd, IN_USE);
  return fd;
}

bool cgroup_open(void) {
#ifdef OLLIE_TEST_KERNEL
  if (strcmp(program_invocation_short_name, "no-cgroups") == 0) return false;
#endif
  int own = open_own();
  if (own < 0) return false;
  if (is_delegated(own)) {
    sweep(own);
    pool = make_server(own);
  }
  close(own);
  int first = make_run();
  /* Before Linux 5.14 there is nothing to write to. */
  if (first >= 0 && faccessat(first, "cgroup.kill", W_OK, AT_EACCESS) == 0) {
    waiting[waiting_count++] = first;
    return true;
  }
  pool = -1;
  return false;
}

int cgroup_take(void) { return waiting_count > 0 ? waiting[--waiting_count] : make_run(); }

pid_t cgroup_fork(int cgroup) {
  struct {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
  } how = {.flags = INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (uint64_t)cgroup};
  if (cgroup >= 0) {
    long pid = syscall(SYS_CLONE3, &how, sizeof how);
    if (pid >= 0) return (pid_t)pid;
  }
  return fork();
}

size_t cgroup_count(int cgroup) {
  char bytes[4096];
  size_t lines = 0;
  int fd = openat(cgroup, "cgroup.procs", O_RDONLY | O_CLOEXEC);
  for (ssize_t got; fd >= 0 && (got = read(fd, bytes, sizeof bytes)) > 0;)
    for (ssize_t i = 0; i < got; i++) lines += bytes[i] == '\n';
  if (fd >= 0) close(fd);
  return lines;
}

static bool is_empty(int cgroup) {
  char bytes[256];
  int fd = openat(cgroup, "cgroup.events", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof bytes - 1);
  if (fd >= 0) close(fd);
  bytes[got > 0 ? got : 0] = '\0';
  return strstr(bytes, "populated 0") != NULL;
}

static bool is_usable(int cgroup) {
  struct stat info;
  return waiting_count < KEPT_AT_MOST && fstat(cgroup, &info) == 0 && (info.st_mode & 0777) == IN_USE && is_empty(cgroup);
}

/* Its own name is the last part of what it is called. */
static void discard(int cgroup) {
  char link[NAME_SIZE], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", cgroup);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  const char *name = strrchr(path, '/');
  cgroup_kill(cgroup);
  if (name) unlinkat(pool, name + 1, AT_REMOVEDIR);
  close(cgroup);
}

/* What still hangs in it is ended; then it goes when this server's directory does. */
void cgroup_give_back(int cgroup) {
  if (cgroup < 0) return;
  if (is_usable(cgroup)) waiting[waiting_count++] = cgroup;
  else discard(cgroup);
}
