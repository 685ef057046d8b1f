#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the keeper of a cell ends with. */
static int end_as(int status) {
  struct status failure = {0};
  if (cell_failure(&failure)) {
    report_failed(failure.step, failure.message);
    return failure.code;
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  kill(getpid(), SIGKILL);
  return EXIT_SETUP;
}

static int run_in_cell(const struct order *order) {
  hold_signals();
  pid_t pid = cell_divide(order, false);
  if (pid == 0) return job_run(order, -1);
  if (pid < 0) return report_refused("cell", fork_reason(errno));
  return end_as(cell_keep(pid, -1));
}

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
  if (!wrong && order.inside) wrong = "bad value of record: policy";
  if (wrong) return report_refused("order", wrong);
  int error = order.door ? door_open(order.door) : 0;
  if (error) return report_refused("door", strerror(error));
  return order.enforce && order.cell ? run_in_cell(&order) : job_run(&order, -1);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "run") == 0) return run();
  if (argc == 2 && strcmp(argv[1], "serve") == 0) return serve(false);
  if (argc == 2 && strcmp(argv[1], "cell") == 0) return serve(true);
  if (argc == 2 && strcmp(argv[1], "probe") == 0) return probe();
  if (argc == 2 && strcmp(argv[1], "peer") == 0) return peer();
  if (argc == 3 && strcmp(argv[1], "mount") == 0) return mount_mode(argv[2]);
  if (argc == 3 && strcmp(argv[1], "umount") == 0) return umount_mode(argv[2]);
  fputs("usage: ollie-sandbox run | serve | cell | probe | peer | mount DIR | umount DIR\n", stderr);
  return EXIT_USAGE;
}
