/*
 * serve: runs orders that come as frames on descriptor 3, any number at a time. Each has a process of its own, which
 * does what `run` does and is as hard to get away from; only starting it is a fork instead of a program's start.
 *   in   S  standard input's length u32 (all ones: none), standard input, the order
 *        K  signal u32 for the job's process: TERM or QUIT, as for `run`
 *        C  bytes u32 of output that may be sent beyond those before
 *   out  H  once, when it is ready
 *        R  reports, as `run` writes them
 *        O  output
 *        X  exit code of the job's process i32, or the signal that killed it, negative: nothing follows
 * The end of descriptor 3 ends everything: the jobs hear of the death of this process and kill their trees.
 */
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINGER_MS = 20 };

static int signal_fd;
bool in_cell;

static void refuse(uint32_t id, const char *step, const char *message) {
  static char line[16384]; /* of a message of 2 KiB each byte may need six */
  tell('R', id, line, failed_line(line, sizeof line, step, message));
  tell_end(id, EXIT_SETUP << 8);
}

static void start(struct frame *frame) {
  uint32_t size;
  if (frame->size < sizeof size || jobs_find(frame->id)) leave();
  memcpy(&size, frame->payload, sizeof size);
  size_t fed = size == UINT32_MAX ? 0 : size;
  if (fed > frame->size - sizeof size) leave();
  char *input = frame->payload + sizeof size;
  struct call call = {.fed = size != UINT32_MAX, .input = input, .input_size = fed, .order = input + fed};
  call.size = frame->size - sizeof size - fed;
  if (in_cell && !places_hold_so_far(&call.ticket)) return refuse(frame->id, "stale", "granted paths have been replaced");
  if (in_cell) places_ask(call.ticket);
  struct job job = {.id = frame->id};
  const char *failed = spare_start(&job, &call);
  int error = errno;
  bool known = !failed && jobs_add(job);
  if (job.pid > 0 && !known) jobs_give_up(&job);
  if (failed || !known) refuse(frame->id, failed ? failed : "memory", strcmp(failed ? failed : "", "fork") == 0 ? fork_reason(error) : reason(error));
}

static void on_frame(struct frame *frame) {
  if (frame->type == 'S') return start(frame);
  struct job *job = jobs_find(frame->id);
  uint32_t value;
  if (frame->size != sizeof value || (frame->type != 'K' && frame->type != 'C')) leave();
  memcpy(&value, frame->payload, sizeof value);
  if (!job) return; /* it ended meanwhile */
  if (frame->type == 'C') job->credit += value;
  else if (!job->exited) kill(job->pid, (int)value);
}

static void on_control(void) {
  if (!frames_fill(CONTROL_FD)) leave();
  for (struct frame frame; frames_next(&frame);) on_frame(&frame);
}

static void on_signal(void) {
  struct signalfd_siginfo info;
  while (read(signal_fd, &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD) leave();
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    jobs_exited(pid, status);
    spare_exited(pid);
  }
}

static void turn(void) {
  /* Whoever has been told of an end goes on with it: to be woken for a process that has nothing more to do would take his processor. */
  bool lingers = jobs_linger();
  size_t count = jobs_watch(CONTROL_FD, lingers ? -1 : signal_fd);
  if (!frames_flush(CONTROL_FD)) leave();
  if (count == 2 || lingers) {
    sched_yield(); /* to the caller, who may wait for this processor */
    spare_prepare();
  }
  if (poll(jobs_fds(), count, lingers ? LINGER_MS : jobs_timeout()) < 0) return;
  jobs_carry();
  if (lingers || jobs_fds()[1].revents) on_signal();
  jobs_sweep();
  if (jobs_fds()[0].revents) on_control();
}

/* The death of the caller ends this process at once, and with it, by their death signal, the jobs. */
static bool prepare(void) {
  sigset_t set;
  pid_t parent = getppid();
  fill_stdio();
  if (fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC) < 0) return false;
  default_signals();
  ignore_signals();
  signal(SIGINT, SIG_IGN); /* a terminal's ^C goes to the caller too, and that decides */
  signal(SIGHUP, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  if (sigprocmask(SIG_SETMASK, &set, NULL) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent) return false;
  signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return spare_open() && signal_fd >= 0 && jobs_open() && no_core_dumps();
}

/* For the keeper: why there is no cell goes out as a report of job 0. */
__attribute__((noreturn)) static void keep_cell(pid_t pid) {
  struct status failure = {.step = "cell", .message = fork_reason(errno)};
  if (pid > 0) cell_keep(pid, CONTROL_FD);
  if (pid < 0 || cell_failure(&failure)) refuse(0, failure.step, failure.message);
  frames_flush(CONTROL_FD);
  leave();
}

/* The first frame says what the cell holds. Only a process inside returns. */
static void enter_cell(void) {
  static struct order order;
  struct frame frame;
  while (!frames_next(&frame))
    if (!frames_fill(CONTROL_FD)) leave();
  char *bytes = malloc(frame.size + 1);
  if (!bytes || frame.type != 'V') leave();
  memcpy(bytes, frame.payload, frame.size);
  const char *wrong = parse_cell_order(&order, bytes, frame.size);
  if (!wrong && (!order.enforce || !order.cell || order.inside)) wrong = "bad value of record: policy";
  if (wrong) {
    refuse(0, "order", wrong);
    frames_flush(CONTROL_FD);
    leave();
  }
  pid_t pid = cell_divide(&order, true);
  if (pid != 0) keep_cell(pid);
  in_cell = true;
}

int serve(bool cell) {
  if (!prepare()) {
    fputs("ollie-sandbox: serve needs its frames on descriptor 3\n", stderr);
    return EXIT_SETUP;
  }
  cgroup_open();
  if (cell) enter_cell();
  tell('H', 0, NULL, 0);
  for (;;) turn();
}
