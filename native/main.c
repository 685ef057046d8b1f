#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int setup_failed(const char *step, const char *message) {
  report_failed(step, message);
  return EXIT_SETUP;
}

/* Descriptors 0-2 must exist before anything is opened, or a pipe would land on them. */
static void fill_stdio(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) _exit(EXIT_SETUP);
}

/* The death of the caller arrives as SIGQUIT; a caller that died before the prctl is seen by the changed parent. */
static bool follow_parent(void) {
  pid_t parent = getppid();
  if (prctl(PR_SET_PDEATHSIG, SIGQUIT) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) return false;
  return getppid() == parent;
}

static void block_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
}

static void child_stdio(int output) {
  if (dup2(output, 1) < 0 || dup2(output, 2) < 0) status_fail(EXIT_SETUP, "output", "%s", strerror(errno));
}

static int start(const struct order *order) {
  int output[2], status[2];
  if (pipe2(output, O_CLOEXEC) < 0 || pipe2(status, O_CLOEXEC) < 0) return setup_failed("pipe", strerror(errno));
  pid_t helper = getpid(), child = fork();
  if (child < 0) return setup_failed("fork", strerror(errno));
  if (child == 0) {
    status_open(status[1]);
    child_stdio(output[1]);
    child_main(order, helper);
  }
  close(output[1]);
  close(status[1]);
  return supervise(order, child, status[0], output[0]);
}

static int run(void) {
  static struct order order;
  fill_stdio();
  if (fcntl(ORDER_FD, F_SETFD, FD_CLOEXEC) < 0 || fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) < 0) {
    fputs("ollie-sandbox: run needs the order on descriptor 3 and reports on descriptor 4\n", stderr);
    return EXIT_SETUP;
  }
  block_signals();
  if (!follow_parent()) return setup_failed("parent", "the caller has gone");
  const char *wrong = read_order(&order);
  if (wrong) return setup_failed("order", wrong);
  return start(&order);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "run") == 0) return run();
  if (argc == 2 && strcmp(argv[1], "probe") == 0) return probe();
  fputs("usage: ollie-sandbox run | probe\n", stderr);
  return EXIT_USAGE;
}
