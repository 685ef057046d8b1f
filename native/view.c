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

enum { SYS_OPEN_TREE = 428, SYS_MOVE_MOUNT = 429, SYS_OPENAT2 = 437, SYS_MOUNT_SETATTR = 442 };
enum { OPEN_CLONE = 1, RECURSIVE = 0x8000, EMPTY_PATH = 0x1000, MOVE_EMPTY_PATH = 4, RESOLVE_NO_SYMLINKS = 4, DETACH = 2 };
enum { ATTR_RDONLY = 1, ATTR_NOSUID = 2, ATTR_NODEV = 4, ATTR_NOEXEC = 8 };
enum { CAN_WRITE = 1, CAN_EXECUTE = 2, MAX_DEPTH = 128 };

static const unsigned class_bits[GRANT_CLASSES] = {
    [GRANT_RO] = 0, [GRANT_ROX] = CAN_EXECUTE, [GRANT_RW] = CAN_WRITE, [GRANT_RWX] = CAN_WRITE | CAN_EXECUTE};

/* File systems of the cell's own. `always`: also where the policy grants the system's. `spare`: not every kernel has it. */
static const struct own {
  const char *path, *type, *options;
  unsigned long flags;
  enum grant_class access;
  bool always, spare;
} own_mounts[] = {
    {"/proc", "proc", NULL, MS_NOSUID | MS_NODEV | MS_NOEXEC, GRANT_RO, true, false},
    {"/dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=0620", MS_NOSUID | MS_NOEXEC, GRANT_RW, true, false},
    {"/dev/mqueue", "mqueue", NULL, MS_NOSUID | MS_NODEV | MS_NOEXEC, GRANT_RW, true, true},
    {"/dev/shm", "tmpfs", "mode=1777,size=25%", MS_NOSUID | MS_NODEV | MS_NOEXEC, GRANT_RW, false, false},
    {"/tmp", "tmpfs", "mode=1777,size=25%", MS_NOSUID | MS_NODEV, GRANT_RWX, false, false},
};
enum { OWN_MOUNTS = sizeof own_mounts / sizeof *own_mounts };

/* A granted path, and what it lets do below itself. */
struct level {
  const char *path;
  unsigned bits;
};

static int outside;
/* Directories that lead to granted paths, and those of them that are mounts of their own. */
static struct list skeleton, shells;
/* What is mounted from outside. */
static struct list mounted;

void view_fail(const char *what) {
  status_fail(EXIT_SETUP, "cell", "%s: %s; advanced.cell: false runs without a cell", what, strerror(errno));
}

bool is_below(const char *path, const char *directory) {
  size_t length = strlen(directory);
  if (strcmp(directory, "/") == 0) return true;
  return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Directories before what is in them. */
static int by_depth_first(const void *left, const void *right) {
  const unsigned char *a = *(const unsigned char *const *)left, *b = *(const unsigned char *const *)right;
  while (*a && *a == *b) a++, b++;
  int first = *a == '/' ? 1 : *a + 1, second = *b == '/' ? 1 : *b + 1;
  return (*a ? first : 0) - (*b ? second : 0);
}

bool view_has(const char *path) {
  struct stat info;
  return fstatat(AT_FDCWD, path, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool is_private(const char *path) {
  for (const struct own *own = own_mounts; own < own_mounts + OWN_MOUNTS; own++)
    if (!own->always && strcmp(path, own->path) == 0) return true;
  return false;
}

static bool is_in_private(const char *path) {
  for (const struct own *own = own_mounts; own < own_mounts + OWN_MOUNTS; own++)
    if (!own->always && is_below(path, own->path)) return true;
  return false;
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
  return is_private(parent);
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
    bool made = mkdir(directory, 0755) == 0;
    if (!made && errno != EEXIST && !view_has(directory)) view_fail(directory);
    bool begins = is_child_of_private(directory) && !holds(&shells, directory) && !holds(&mounted, directory);
    if (made || begins) list_add(&skeleton, directory);
    if (begins) begin_shell(directory);
  }
}

static void make_place(const char *path, bool is_directory) {
  make_parents(path);
  clear_way(path, is_directory);
  if (view_has(path)) return;
  if ((is_directory ? mkdir(path, 0755) : mknod(path, S_IFREG | 0444, 0)) < 0) view_fail(path);
}

/*
 * Below a private directory Landlock lets everything pass, so a mount that comes later, with rights of its own, must not
 * come in. Elsewhere mounts come and go as they do outside.
 */
static void set_attributes(int tree, const char *path, unsigned bits) {
  struct {
    uint64_t set, clear, propagation, user_namespace;
  } attributes = {ATTR_NOSUID, 0, is_in_private(path) ? MS_PRIVATE : 0, 0};
  if (!(bits & CAN_WRITE)) attributes.set |= ATTR_RDONLY;
  if (!(bits & CAN_EXECUTE)) attributes.set |= ATTR_NOEXEC;
  if (!is_below(path, "/dev")) attributes.set |= ATTR_NODEV;
  if (syscall(SYS_MOUNT_SETATTR, tree, "", EMPTY_PATH | RECURSIVE, &attributes, sizeof attributes) < 0) view_fail(path);
}

bool view_replaces(const char *path) { return strcmp(path, "/dev/ptmx") == 0; }

bool view_owns(const char *path) {
  for (size_t i = 0; i < OWN_MOUNTS; i++)
    if (own_mounts[i].always && is_below(path, own_mounts[i].path)) return true;
  return view_replaces(path);
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
static void mount_from(const char *from, const char *path, unsigned bits) {
  int fd = open_outside(from);
  if (fd < 0) return;
  struct stat info;
  if (fstat(fd, &info) < 0) view_fail(from);
  make_place(path, S_ISDIR(info.st_mode));
  int tree = (int)syscall(SYS_OPEN_TREE, fd, "", OPEN_CLONE | RECURSIVE | EMPTY_PATH | O_CLOEXEC);
  if (tree < 0) view_fail(path);
  set_attributes(tree, path, bits);
  if (syscall(SYS_MOVE_MOUNT, tree, "", AT_FDCWD, path, MOVE_EMPTY_PATH) < 0) view_fail(path);
  list_add(&mounted, path);
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

static bool is_granted(const struct order *order, const char *path) {
  for (size_t i = 0; i < order->grant_count; i++)
    if (is_below(path, order->grants[i].path)) return true;
  return false;
}

/* A directory of the system is not added to. */
static bool has_place(const struct order *order, const struct own *own) {
  return !is_granted(order, own->path) || (own->always && (!own->spare || view_has(own->path)));
}

static void mount_own(const struct order *order, bool always) {
  for (const struct own *own = own_mounts; own < own_mounts + OWN_MOUNTS; own++) {
    if (own->always != always || !has_place(order, own)) continue;
    make_place(own->path, true);
    if (order->tmp && strcmp(own->path, "/tmp") == 0) mount_from(order->tmp, own->path, CAN_WRITE | CAN_EXECUTE);
    else if (mount(own->type, own->path, own->type, own->flags, own->options) < 0 && !(own->spare && errno == ENODEV)) view_fail(own->path);
  }
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

static void close_for_writing(const char *path) {
  struct {
    uint64_t set, clear, propagation, user_namespace;
  } read_only = {ATTR_RDONLY, 0, 0, 0};
  if (syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path, 0, &read_only, sizeof read_only) < 0) view_fail(path);
}

static void end_tree(void) {
  close(outside);
  if (umount2(OUTSIDE, DETACH) < 0 || rmdir(OUTSIDE) < 0) view_fail(OUTSIDE);
  for (size_t at = 0; at < shells.length; at += strlen(shells.bytes + at) + 1) close_for_writing(shells.bytes + at);
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
  mount_own(order, false);
  mount_grants(order);
  mount_own(order, true);
  if (starts_somewhere && !is_granted(order, order->cwd)) make_place(order->cwd, true);
  copy_links(order, &skeleton);
  end_tree();
  umask(mask);
}

size_t view_grants(const struct order *order, struct grant *grants) {
  size_t count = 0;
  for (size_t i = 0; i < OWN_MOUNTS; i++)
    if (own_mounts[i].access != GRANT_RO && !is_granted(order, own_mounts[i].path))
      grants[count++] = (struct grant){own_mounts[i].path, own_mounts[i].access};
  return count;
}
