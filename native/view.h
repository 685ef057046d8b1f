/* What the parts of a cell's view share. */
#ifndef OLLIE_VIEW_H
#define OLLIE_VIEW_H

#include "helper.h"

/* Where the tree of the system lies until the cell's own is complete. */
#define OUTSIDE "/.outside"

/* What a mount allows; to read it always does. */
enum { CAN_WRITE = 1, CAN_EXECUTE = 2 };
enum { SYS_MOUNT_SETATTR = 442, ATTR_RDONLY = 1 };

/* view.c: ends the process; errno says why. */
__attribute__((noreturn)) void view_fail(const char *what);
bool is_granted(const struct order *order, const char *path);
/* What lies at a path of the system, at a path of the cell. */
void mount_from(const char *from, const char *path, unsigned bits);

/* ways.c: whether there is anything at a path of the cell, a link that leads nowhere included. */
bool view_has(const char *path);
/* Makes the directories that lead to a path, and remembers which. */
void make_parents(const char *path);
/* And what can be mounted upon. */
void make_place(const char *path, bool is_directory);
/* Something of outside is there now. */
void ways_mounted(const char *path);
const struct list *ways_made(void);
void close_for_writing(const char *path);
/* Those that lead through private directories. */
void ways_close(void);

/* own.c: a directory of the cell's own that tools may write, unless the policy grants the system's; a path in one. */
bool own_is_private(const char *path);
bool own_holds_private(const char *path);
/* Those that are there in any case, or the others. */
void own_mount(const struct order *order, bool always);

/* links.c: those of the order, and those beside granted paths, which lie in the root and in these directories. */
void copy_links(const struct order *order, const struct list *directories);

#endif
