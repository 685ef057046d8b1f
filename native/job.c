/* What a process does that runs one order: `run` itself, and each child of `serve`. */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Descriptors 0-2 must exist before anything is opened, or a pipe would land on them. */
void fill_stdio(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) _exit(EXIT_SETUP);
}

/* The death of the caller arrives as SIGQUIT; a caller that died before the prctl is seen by the changed parent. */
static bool follow_parent(void) {
  pid_t parent = getppid();
  if (prctl(PR_SET_PDEATHSIG, SIGQUIT) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) return false;
  return getppid() == parent;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
static const int handled[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
/* Would end or stop the helper and leave its tree alone. */
static const int ignored[] = {SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO,
                              SIGPWR,  SIGXCPU, SIGXFSZ, SIGTSTP, SIGTTIN,   SIGTTOU};

/* For the tool: nothing is ignored or blocked. */
void give_back_signals(void) {
  sigset_t none;
  for (size_t i = 0; i < COUNT(ignored); i++) signal(ignored[i], SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void default_signals(void) {
  for (int sig = 1; sig < _NSIG; sig++) signal(sig, SIG_DFL);
}

/* Once for all jobs of a process, which inherit it. */
void ignore_signals(void) {
  static bool done;
  for (size_t i = 0; i < COUNT(ignored) && !done; i++) signal(ignored[i], SIG_IGN);
  done = true;
}

/* Whatever the caller ignores or blocks. As long as nothing runs, the signals that are handled later just end the helper. */
static void own_signals(void) {
  sigset_t none;
  ignore_signals();
  for (size_t i = 0; i < COUNT(handled); i++) signal(handled[i], SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void hold_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < COUNT(handled); i++) sigaddset(&set, handled[i]);
  sigprocmask(SIG_SETMASK, &set, NULL);
}

/* For the tool as well. One byte means none at all; with 0 the kernel would still start the dump program of the system. */
bool no_core_dumps(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) < 0) return false;
  limit.rlim_cur = limit.rlim_max = limit.rlim_max < 1 ? limit.rlim_max : 1;
  return setrlimit(RLIMIT_CORE, &limit) == 0;
}

static void child_stdio(int output) {
  if (dup2(output, 1) < 0 || dup2(output, 2) < 0) status_fail(EXIT_SETUP, "output", "%s", reason(errno));
}

static int run_child(const struct order *(*order_of)(void), struct watched *watched, int cgroup) {
  hold_signals();
  int output[2], status[2];
  if (pipe2(output, O_CLOEXEC) < 0 || pipe2(status, O_CLOEXEC) < 0) return report_refused("pipe", reason(errno));
  tree_in_cgroup(cgroup);
  pid_t helper = getpid();
  watched->child = cgroup_fork(cgroup);
  if (watched->child < 0) return report_refused("fork", fork_reason(errno));
  if (watched->child == 0) {
    status_open(status[1]);
    child_stdio(output[1]);
    child_begin(helper);
    child_main(order_of());
  }
  close(output[1]);
  close(status[1]);
  watched->status_fd = status[0];
  watched->output_fd = output[0];
  return supervise(watched);
}

static const struct order *only;
static const struct order *only_order(void) { return only; }

int job_run(const struct order *order, int cgroup) {
  struct watched watched = {.nudge_fd = -1, .order = only_order};
  only = order;
  return run_child(only_order, &watched, cgroup);
}

int job_ahead(int cgroup, int nudge) {
  struct watched watched = {.nudge_fd = nudge, .order = spare_order};
  return run_child(spare_await, &watched, cgroup);
}

int job_begin(void) {
  own_signals();
  if (!follow_parent()) return report_refused("parent", "the caller has gone");
  if (!tree_open()) return report_refused("proc", "/proc does not show the helper's own processes, so it could not end them");
  return 0;
}

void job_over(int code) {
  char mark[2] = {OVER_MARK, (char)code};
  if (write(REPORT_FD, mark, sizeof mark) < 0) return; /* the exit tells it as well, later */
  close(1);
  /* To go takes a while, in which those who have been woken want the processor. */
  struct timespec pause = {0, 1000000};
  nanosleep(&pause, NULL);
}
