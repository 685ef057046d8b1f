/*
 * The file tree of a cell: an empty one in memory, into which each granted path is mounted under its own name. What is
 * not granted is not there. Landlock holds inside as it does outside; the mounts say the same a second time: without
 * write permission read-only, without execute permission noexec, which also stops ld.so and mapped code.
 */
#include "view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SYS_OPEN_TREE = 428, SYS_MOVE_MOUNT = 429, SYS_OPENAT2 = 437 };
enum { OPEN_CLONE = 1, RECURSIVE = 0x8000, EMPTY_PATH = 0x1000, MOVE_EMPTY_PATH = 4, RESOLVE_NO_SYMLINKS = 4, DETACH = 2 };
enum { ATTR_NOSUID = 2, ATTR_NODEV = 4, ATTR_NOEXEC = 8 };
enum { MAX_DEPTH = 128 };

static const unsigned class_bits[GRANT_CLASSES] = {
    [GRANT_RO] = 0, [GRANT_ROX] = CAN_EXECUTE, [GRANT_RW] = CAN_WRITE, [GRANT_RWX] = CAN_WRITE | CAN_EXECUTE};

/* A granted path, and what it lets do below itself. */
struct level {
  const char *path;
  unsigned bits;
};

/* The root of the system, until the view is complete. */
static int outside;

void view_fail(const char *what) {
  status_fail(EXIT_SETUP, "cell", "%s: %s; advanced.cell: false runs without a cell", what, reason(errno));
}

bool is_below(const char *path, const char *directory) {
  size_t length = strlen(directory);
  if (strcmp(directory, "/") == 0) return true;
  return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool is_granted(const struct order *order, const char *path) {
  for (size_t i = 0; i < order->grant_count; i++)
    if (is_below(path, order->grants[i].path)) return true;
  return false;
}

/* Directories before what is in them. */
static int by_depth_first(const void *left, const void *right) {
  const unsigned char *a = *(const unsigned char *const *)left, *b = *(const unsigned char *const *)right;
  while (*a && *a == *b) a++, b++;
  int first = *a == '/' ? 1 : *a + 1, second = *b == '/' ? 1 : *b + 1;
  return (*a ? first : 0) - (*b ? second : 0);
}

/*
 * Below a private directory Landlock lets everything pass, so a mount that comes later, with rights of its own, must not
 * come in. Elsewhere mounts come and go as they do outside.
 */
static void set_attributes(int tree, const char *path, unsigned bits) {
  struct {
    uint64_t set, clear, propagation, user_namespace;
  } attributes = {ATTR_NOSUID, 0, own_holds_private(path) ? MS_PRIVATE : 0, 0};
  if (!(bits & CAN_WRITE)) attributes.set |= ATTR_RDONLY;
  if (!(bits & CAN_EXECUTE)) attributes.set |= ATTR_NOEXEC;
  if (!is_below(path, "/dev")) attributes.set |= ATTR_NODEV;
  if (syscall(SYS_MOUNT_SETATTR, tree, "", EMPTY_PATH | RECURSIVE, &attributes, sizeof attributes) < 0) view_fail(path);
}

/* A path of the system, without following links. -1: it is not there for this user. */
static int open_outside(const char *path) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {O_PATH | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS};
  int fd = (int)syscall(SYS_OPENAT2, outside, path[1] ? path + 1 : ".", &how, sizeof how);
  if (fd >= 0 || errno == ENOENT || errno == ENOTDIR || errno == EACCES) return fd;
  if (errno == ELOOP) status_fail(EXIT_SETUP, "landlock", "%s: is or has become a symbolic link; not granted", path);
  view_fail(path);
}

/* What lies at a path of the system, at a path of the cell. */
void mount_from(const char *from, const char *path, unsigned bits) {
  int fd = open_outside(from);
  if (fd < 0) return;
  struct stat info;
  if (fstat(fd, &info) < 0) view_fail(from);
  make_place(path, S_ISDIR(info.st_mode));
  int tree = (int)syscall(SYS_OPEN_TREE, fd, "", OPEN_CLONE | RECURSIVE | EMPTY_PATH | O_CLOEXEC);
  if (tree < 0) view_fail(path);
  set_attributes(tree, path, bits);
  if (syscall(SYS_MOVE_MOUNT, tree, "", AT_FDCWD, path, MOVE_EMPTY_PATH) < 0) view_fail(path);
  ways_mounted(path);
  close(tree);
  close(fd);
}

static void mount_grant(const char *path, unsigned bits) { mount_from(path, path, bits); }

/* The root itself cannot be mounted upon: what is in it is mounted instead. */
static void mount_root(unsigned bits) {
  char path[sizeof OUTSIDE + 256];
  DIR *entries = opendir(OUTSIDE);
  if (!entries) view_fail("/");
  for (struct dirent *entry; (entry = readdir(entries));) {
    if (entry->d_type == DT_LNK || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "/%s", entry->d_name);
    if (!view_owns(path)) mount_grant(path, bits);
  }
  closedir(entries);
}

/* Rights add up along a path, as they do in Landlock: a mount is needed only where there are more than above it. */
static void mount_all(const struct level *grants, size_t count) {
  struct level above[MAX_DEPTH];
  size_t depth = 0;
  for (size_t i = 0; i < count; i++) {
    const char *path = grants[i].path;
    unsigned bits = grants[i].bits;
    while (i + 1 < count && strcmp(grants[i + 1].path, path) == 0) bits |= grants[++i].bits;
    while (depth > 0 && !is_below(path, above[depth - 1].path)) depth--;
    unsigned inherited = depth > 0 ? above[depth - 1].bits : 0;
    bits |= inherited;
    if (view_owns(path) || (depth > 0 && bits == inherited)) continue;
    if (depth == MAX_DEPTH) {
      errno = ENAMETOOLONG;
      view_fail(path);
    }
    if (path[1]) mount_grant(path, bits);
    else mount_root(bits);
    above[depth++] = (struct level){path, bits};
  }
}

static void mount_grants(const struct order *order) {
  struct level *grants = calloc(order->grant_count + 1, sizeof *grants);
  if (!grants) view_fail("memory");
  for (size_t i = 0; i < order->grant_count; i++)
    grants[i] = (struct level){order->grants[i].path, class_bits[order->grants[i].access]};
  qsort(grants, order->grant_count, sizeof *grants, by_depth_first);
  mount_all(grants, order->grant_count);
  free(grants);
}

/* The tree of the system moves below an empty one. */
static void begin_tree(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0) view_fail("mounts");
  /* Long links take a page each. */
  if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=64m") < 0) view_fail("tmpfs");
  if (mkdir("/tmp" OUTSIDE, 0700) < 0) view_fail(OUTSIDE);
  if (syscall(SYS_pivot_root, "/tmp", "/tmp" OUTSIDE) < 0 || chdir("/") < 0) view_fail("pivot_root");
  outside = open(OUTSIDE, O_PATH | O_CLOEXEC);
  if (outside < 0) view_fail(OUTSIDE);
}

static void end_tree(void) {
  close(outside);
  if (umount2(OUTSIDE, DETACH) < 0 || rmdir(OUTSIDE) < 0) view_fail(OUTSIDE);
  ways_close();
  close_for_writing("/");
}

static bool is_directory(const char *path) {
  struct stat info;
  return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void view_build(const struct order *order) {
  mode_t mask = umask(0);
  bool starts_somewhere = is_directory(order->cwd);
  begin_tree();
  own_mount(order, false);
  mount_grants(order);
  own_mount(order, true);
  if (starts_somewhere && !is_granted(order, order->cwd)) make_place(order->cwd, true);
  copy_links(order, ways_made());
  end_tree();
  umask(mask);
}
