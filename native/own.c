/* What a cell has of its own: file systems that are not the system's, and places that no grant changes. */
#include "view.h"

#include <errno.h>
#include <string.h>
#include <sys/mount.h>

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

bool own_is_private(const char *path) {
  for (const struct own *own = own_mounts; own < own_mounts + OWN_MOUNTS; own++)
    if (!own->always && strcmp(path, own->path) == 0) return true;
  return false;
}

bool own_holds_private(const char *path) {
  for (const struct own *own = own_mounts; own < own_mounts + OWN_MOUNTS; own++)
    if (!own->always && is_below(path, own->path)) return true;
  return false;
}

bool view_replaces(const char *path) { return strcmp(path, "/dev/ptmx") == 0; }

bool view_owns(const char *path) {
  for (size_t i = 0; i < OWN_MOUNTS; i++)
    if (own_mounts[i].always && is_below(path, own_mounts[i].path)) return true;
  return view_replaces(path);
}

/* A directory of the system is not added to. */
static bool has_place(const struct order *order, const struct own *own) {
  return !is_granted(order, own->path) || (own->always && (!own->spare || view_has(own->path)));
}

void own_mount(const struct order *order, bool always) {
  for (const struct own *own = own_mounts; own < own_mounts + OWN_MOUNTS; own++) {
    if (own->always != always || !has_place(order, own)) continue;
    make_place(own->path, true);
    if (order->tmp && strcmp(own->path, "/tmp") == 0) mount_from(order->tmp, own->path, CAN_WRITE | CAN_EXECUTE);
    else if (mount(own->type, own->path, own->type, own->flags, own->options) < 0 && !(own->spare && errno == ENODEV)) view_fail(own->path);
  }
}

size_t view_grants(const struct order *order, struct grant *grants) {
  size_t count = 0;
  for (size_t i = 0; i < OWN_MOUNTS; i++)
    if (own_mounts[i].access != GRANT_RO && !is_granted(order, own_mounts[i].path))
      grants[count++] = (struct grant){own_mounts[i].path, own_mounts[i].access};
  return count;
}
