/*
 * Whether a cell shows sockets of other programs. What it may read it may connect to, before Landlock ABI 9, and the
 * places of sockets are known: a policy that opens one of them as a directory hardly means each socket in it.
 */
#include "helper.h"

#include <sys/stat.h>

static const char *const places[] = {"/run", "/var/run", "/tmp"};

static bool is_directory(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* What lies in /tmp itself are directories of the caller's as well. */
static bool holds_sockets(const char *path) {
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (is_below(places[i], path)) return true;
  return (is_below(path, "/run") || is_below(path, "/var/run")) && is_directory(path);
}

bool shows_sockets(const struct order *order) {
  for (size_t i = 0; i < order->grant_count; i++)
    if (holds_sockets(order->grants[i].path)) return true;
  return false;
}
