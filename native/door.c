/* A connection that the tool gets as a descriptor. It is made before any wall is: from inside, the socket is out of reach. */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int door_open(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  int error = connect(fd, (struct sockaddr *)&address, sizeof address) < 0 || dup3(fd, DOOR_FD, O_CLOEXEC) < 0 ? errno : 0;
  close(fd);
  return error;
}
