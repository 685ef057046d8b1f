#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run(void) {
  static struct order order;
  fill_stdio();
  if (fcntl(ORDER_FD, F_SETFD, FD_CLOEXEC) < 0 || fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) < 0) {
    fputs("ollie-sandbox: run needs the order on descriptor 3 and reports on descriptor 4\n", stderr);
    return EXIT_SETUP;
  }
  default_signals();
  int failure = no_core_dumps() ? job_begin() : report_refused("limits", strerror(errno));
  if (failure) return failure;
  const char *wrong = read_order(&order);
  return wrong ? report_refused("order", wrong) : job_run(&order);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "run") == 0) return run();
  if (argc == 2 && strcmp(argv[1], "serve") == 0) return serve();
  if (argc == 2 && strcmp(argv[1], "probe") == 0) return probe();
  if (argc == 3 && strcmp(argv[1], "mount") == 0) return mount_mode(argv[2]);
  if (argc == 3 && strcmp(argv[1], "umount") == 0) return umount_mode(argv[2]);
  fputs("usage: ollie-sandbox run | serve | probe | mount DIR | umount DIR\n", stderr);
  return EXIT_USAGE;
}
