/*
 * Carries FUSE frames between the device and two descriptors. A frame begins with its length. The device
 * wants each reply in one write and gives each request in one read, so two processes copy whole frames:
 * the child requests from the device to descriptor 1, the parent replies from descriptor 0 to the device.
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A max_write of up to 1 MiB, what stands before it, and room to read ahead into. */
enum { BUFFER = (1 << 20) + (1 << 16) };

static char buffer[BUFFER];
static int nothing = -1;

static bool put(int to, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t sent = write(to, bytes, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes += sent;
    size -= (size_t)sent;
  }
  return true;
}

/* Ends with the mount, or with the reader of descriptor 1. A request that was interrupted before it was read is ENOENT. */
static void carry_requests(int device) {
  for (;;) {
    ssize_t got = read(device, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) continue;
    if (got <= 0 || !put(1, buffer, (size_t)got)) _exit(0);
  }
}

/* The replies to requests that have gone meanwhile are refused by the device; that is no fault. */
static size_t send_frames(int device, size_t end) {
  size_t start = 0;
  for (uint32_t size; end - start >= sizeof size; start += size) {
    memcpy(&size, buffer + start, sizeof size);
    if (size < sizeof size || size > sizeof buffer) return SIZE_MAX;
    if (size > end - start) break;
    while (write(device, buffer + start, size) < 0 && errno == EINTR) continue;
  }
  memmove(buffer, buffer + start, end - start);
  return end - start;
}

/* Ends with descriptor 0. */
static void carry_replies(int device) {
  for (size_t end = 0;;) {
    ssize_t got = read(0, buffer + end, sizeof buffer - end);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    end = send_frames(device, end + (size_t)got);
    if (end == SIZE_MAX) return;
  }
}

/* Makes descriptor 0 end: a read that waits is interrupted, and the next one finds nothing. */
static void on_end(int signal) {
  (void)signal;
  int error = errno;
  dup2(nothing, 0);
  errno = error;
}

static bool prepare(void) {
  nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  struct sigaction end = {.sa_handler = on_end};
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_IGN); /* a terminal's ^C goes to the server too, and that decides */
  signal(SIGHUP, SIG_IGN);
  return nothing >= 0 && sigaction(SIGTERM, &end, NULL) == 0 && sigaction(SIGCHLD, &end, NULL) == 0;
}

/* True when the mount is gone already. */
bool bridge(int device) {
  if (!prepare()) return false;
  pid_t parent = getpid(), child = fork();
  if (child < 0) return false;
  if (child == 0) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent) _exit(1);
    close(0);
    carry_requests(device);
  }
  close(1);
  carry_replies(device);
  signal(SIGCHLD, SIG_DFL);
  struct pollfd look = {.fd = device};
  bool is_gone = poll(&look, 1, 0) == 1 && (look.revents & POLLERR) != 0;
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return is_gone;
}
