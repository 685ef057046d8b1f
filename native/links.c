/* The symbolic links of a cell: those that lead to what it holds. */
#include "view.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_AT_MOST = 4096 };

static void copy_link(const char *path) {
  char source[4096 + sizeof OUTSIDE], target[4096];
  if ((size_t)snprintf(source, sizeof source, OUTSIDE "%s", path) >= sizeof source) return;
  ssize_t length = readlink(source, target, sizeof target - 1);
  if (length < 0) return; /* gone meanwhile: then it leads nowhere outside either */
  target[length] = '\0';
  make_parents(path);
  if (symlink(target, path) < 0 && errno != EEXIST && errno != EROFS && errno != ENOSPC) view_fail(path);
}

/* Links beside granted paths lead to them: /bin, /dev/fd. */
static void copy_links_in(const char *directory) {
  char source[4096 + sizeof OUTSIDE], path[4096];
  if ((size_t)snprintf(source, sizeof source, OUTSIDE "%s", directory) >= sizeof source) return;
  DIR *entries = opendir(source);
  if (!entries) return; /* it can be walked through and not listed: its links are named apart */
  struct dirent *entry;
  for (int seen = 0; seen < LINKS_AT_MOST && (entry = readdir(entries)); seen++) {
    if (entry->d_type != DT_LNK) continue;
    int size = snprintf(path, sizeof path, "%s/%s", strcmp(directory, "/") ? directory : "", entry->d_name);
    if ((size_t)size < sizeof path) copy_link(path);
  }
  closedir(entries);
}

void copy_links(const struct order *order, const struct list *directories) {
  copy_links_in("/");
  for (size_t at = 0; at < directories->length; at += strlen(directories->bytes + at) + 1) copy_links_in(directories->bytes + at);
  for (size_t i = 0; i < order->link_count; i++) copy_link(order->links[i]);
  if (!view_has("/dev/ptmx") && symlink("pts/ptmx", "/dev/ptmx") < 0) view_fail("/dev/ptmx");
}
