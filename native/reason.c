/* What to do about an errno that means a limit: its usual text does not say which one. */
#include "helper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* A number above the limit is EBADF or EINVAL, whichever call was given it. */
static bool is_of_descriptors(int error, rlim_t limit) {
  return error == EMFILE || ((error == EBADF || error == EINVAL) && limit < ENOUGH_FDS);
}

const char *reason(int error) {
  static char text[160];
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && is_of_descriptors(error, files.rlim_cur)) {
    int size = snprintf(text, sizeof text, "the limit of open files, %llu, is too low (ulimit -n)", (unsigned long long)files.rlim_cur);
    if (files.rlim_cur < ENOUGH_FDS) snprintf(text + size, sizeof text - (size_t)size, ": it must be %d at least", ENOUGH_FDS);
    return text;
  }
  return strerror(error);
}

const char *fork_reason(int error) {
  if (error == EAGAIN) return "no more processes can be made: the limit of the user (ulimit -u), of the cgroup (pids.max) or of the system is reached";
  if (error == ENOSPC) return "no more namespaces can be made: a limit in /proc/sys/user is reached";
  return reason(error);
}
