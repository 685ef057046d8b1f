/*
 * peer: who is at the other end of the Unix socket on descriptor 3, as one JSON object. A process that is gone, or is not
 * of this system's process numbers, may be anything: there is nothing to tell of it, and that is an error.
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOCKET_FD = 3 };

static int complain(const char *what, int error) {
  fprintf(stderr, "ollie-sandbox: peer: %s: %s\n", what, strerror(error));
  return EXIT_SETUP;
}

/* -1: it does not say. */
static int no_new_privs(int process) {
  static char text[16384];
  int fd = openat(process, "status", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (got <= 0) return -1;
  text[got] = '\0';
  const char *line = strstr(text, "\nNoNewPrivs:");
  return line ? atoi(line + strlen("\nNoNewPrivs:")) : -1;
}

int peer(void) {
  struct ucred who;
  socklen_t size = sizeof who;
  if (getsockopt(SOCKET_FD, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0) return complain("descriptor 3", errno);
  char path[32];
  snprintf(path, sizeof path, "/proc/%d", (int)who.pid);
  /* From here on it is this very process, or none. */
  int process = who.pid > 0 ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (process < 0) return complain("the process", who.pid > 0 ? errno : ESRCH);
  int flag = no_new_privs(process);
  if (flag < 0) return complain("its status", ESRCH);
  struct stat program = {0};
  if (fstatat(process, "exe", &program, 0) < 0) program.st_ino = 0; /* another user's, perhaps */
  printf("{\"pid\":%d,\"uid\":%u,\"gid\":%u,\"noNewPrivs\":%s,\"program\":\"%ju:%ju\"}\n", (int)who.pid, who.uid, who.gid,
         flag ? "true" : "false", (uintmax_t)program.st_dev, (uintmax_t)program.st_ino);
  return fflush(stdout) == 0 ? 0 : EXIT_SETUP;
}
