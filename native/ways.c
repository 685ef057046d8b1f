/* The directories that lead to what a cell holds. */
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Those that were made, and those of them that are mounts of their own. */
static struct list made, shells;
/* What is mounted from outside. */
static struct list mounted;

bool view_has(const char *path) {
  struct stat info;
  return fstatat(AT_FDCWD, path, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

/*
 * What leads through a private directory to a granted path cannot be written to: else what a tool writes beside the
 * granted path, where the system has a directory too, would seem to be kept.
 */
static void begin_shell(const char *directory) {
  if (mount("tmpfs", directory, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=4m") < 0) view_fail(directory);
  list_add(&shells, directory);
}

static bool is_child_of_private(const char *path) {
  char parent[4096];
  snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(path, '/') - path), path);
  return own_is_private(parent);
}

static bool holds(const struct list *list, const char *path) {
  for (size_t at = 0; at < list->length; at += strlen(list->bytes + at) + 1)
    if (strcmp(list->bytes + at, path) == 0) return true;
  return false;
}

/* A private directory outlives its cell: a tool may have left anything where the next one needs a place. */
static void clear_way(const char *path, bool needs_directory) {
  struct stat info;
  if (!is_child_of_private(path) || lstat(path, &info) < 0 || S_ISDIR(info.st_mode) == needs_directory) return;
  if ((needs_directory ? unlink(path) : rmdir(path)) < 0) view_fail(path);
}

/* Makes the directories that lead to a path, and remembers which. */
void make_parents(const char *path) {
  char directory[4096];
  if (strlen(path) >= sizeof directory) {
    errno = ENAMETOOLONG;
    view_fail(path);
  }
  for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(directory, sizeof directory, "%.*s", (int)(slash - path), path);
    clear_way(directory, true);
    bool is_new = mkdir(directory, 0755) == 0;
    if (!is_new && errno != EEXIST && !view_has(directory)) view_fail(directory);
    bool begins = is_child_of_private(directory) && !holds(&shells, directory) && !holds(&mounted, directory);
    if (is_new || begins) list_add(&made, directory);
    if (begins) begin_shell(directory);
  }
}

void make_place(const char *path, bool is_directory) {
  make_parents(path);
  clear_way(path, is_directory);
  if (view_has(path)) return;
  if ((is_directory ? mkdir(path, 0755) : mknod(path, S_IFREG | 0444, 0)) < 0) view_fail(path);
}

void ways_mounted(const char *path) { list_add(&mounted, path); }

const struct list *ways_made(void) { return &made; }

void close_for_writing(const char *path) {
  struct {
    uint64_t set, clear, propagation, user_namespace;
  } read_only = {ATTR_RDONLY, 0, 0, 0};
  if (syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path, 0, &read_only, sizeof read_only) < 0) view_fail(path);
}

void ways_close(void) {
  for (size_t at = 0; at < shells.length; at += strlen(shells.bytes + at) + 1) close_for_writing(shells.bytes + at);
}
