/* What the parts of a cell's view share. */
#ifndef OLLIE_VIEW_H
#define OLLIE_VIEW_H

#include "helper.h"

/* Where the tree of the system lies until the cell's own is complete. */
#define OUTSIDE "/.outside"

/* view.c: ends the process; errno says why. */
__attribute__((noreturn)) void view_fail(const char *what);
/* Whether there is anything at a path of the cell, a link that leads nowhere included. */
bool view_has(const char *path);
/* Makes the directories that lead to a path, and remembers which. */
void make_parents(const char *path);

/* links.c: those of the order, and those beside granted paths, which lie in the root and in these directories. */
void copy_links(const struct order *order, const struct list *directories);

#endif
