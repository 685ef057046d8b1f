/*
 * mount DIR: a FUSE mount whose requests go out on descriptor 1 and whose replies come in on descriptor 0.
 * Root mounts by itself, everybody else through fusermount3. What went wrong is one sentence on stderr.
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE "/dev/fuse"

/* The program is setuid root, so it is never looked for in PATH. */
static const char *const FUSERMOUNT[] = {
    "/usr/bin/fusermount3", "/bin/fusermount3", "/usr/local/bin/fusermount3", "/run/wrappers/bin/fusermount3", NULL,
};

__attribute__((format(printf, 1, 2))) static int fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return -1;
}

static const char *fusermount(void) {
  for (const char *const *path = FUSERMOUNT; *path; path++)
    if (access(*path, X_OK) == 0) return *path;
  return NULL;
}

static int open_device(void) {
  int device = open(DEVICE, O_RDWR | O_CLOEXEC);
  if (device >= 0) return device;
  if (errno == ENOENT || errno == ENODEV || errno == ENXIO) return fail("there is no FUSE in this kernel: %s is missing (modprobe fuse)", DEVICE);
  if (errno == EACCES || errno == EPERM) return fail("%s may not be opened by this user (its mode is usually 0666)", DEVICE);
  return fail("cannot open " DEVICE ": %s", strerror(errno));
}

static int mount_as_root(const char *directory) {
  int device = open_device();
  if (device < 0) return -1;
  char options[96];
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u", device, getuid(), getgid());
  if (mount("ollie", directory, "fuse.ollie", MS_NOSUID | MS_NODEV, options) == 0) return device;
  int error = errno;
  close(device);
  if (error == EPERM) return fail("this process may not mount here (%s): it is root without CAP_SYS_ADMIN", directory);
  return fail("cannot mount: %s", strerror(error));
}

static void run_fusermount(const char *program, const char *directory, int socket) {
  char number[16];
  snprintf(number, sizeof number, "%d", socket);
  if (setenv("_FUSE_COMMFD", number, 1) == 0 && dup2(2, 1) == 1)
    execl(program, "fusermount3", "-o", "fsname=ollie,subtype=ollie,nosuid,nodev", "--", directory, (char *)NULL);
  _exit(EXIT_SETUP);
}

/* The descriptor that comes with one byte; -1 when the other end closes without one. */
static int receive_descriptor(int socket) {
  char byte;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec data = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t got;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  struct cmsghdr *found = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!found || found->cmsg_level != SOL_SOCKET || found->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(found), sizeof descriptor);
  return descriptor;
}

static bool succeeded(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int mount_by_fusermount(const char *directory) {
  int device = open_device();
  if (device < 0) return -1;
  close(device);
  const char *program = fusermount();
  if (!program) return fail("%s is not installed (Debian, Ubuntu: apt-get install fuse3)", "fusermount3");
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return fail("socketpair: %s", strerror(errno));
  pid_t child = fork();
  if (child < 0) return fail("fork: %s", strerror(errno));
  if (child == 0) {
    close(pair[0]);
    run_fusermount(program, directory, pair[1]);
  }
  close(pair[1]);
  device = receive_descriptor(pair[0]);
  close(pair[0]);
  if (!succeeded(child) || device < 0) return fail("%s could not mount (its reason is above)", program);
  return device;
}

/* Away at once for everybody, also while files are open. */
static bool unmount(const char *directory) {
  if (geteuid() == 0) return umount2(directory, MNT_DETACH | UMOUNT_NOFOLLOW) == 0;
  const char *program = fusermount();
  if (!program) {
    errno = ENOENT;
    return false;
  }
  pid_t child = fork();
  if (child == 0) {
    execl(program, "fusermount3", "-u", "-z", "--", directory, (char *)NULL);
    _exit(EXIT_SETUP);
  }
  errno = EPERM;
  return child > 0 && succeeded(child);
}

int mount_mode(const char *directory) {
  int device = geteuid() == 0 ? mount_as_root(directory) : mount_by_fusermount(directory);
  if (device < 0) return 1;
  bool is_gone = bridge(device);
  /* EINVAL: somebody has detached it meanwhile. */
  if (!is_gone && !unmount(directory) && errno != EINVAL) fail("cannot unmount: %s", strerror(errno));
  return 0;
}

int umount_mode(const char *directory) {
  if (unmount(directory)) return 0;
  fail("cannot unmount: %s", strerror(errno));
  return 1;
}
