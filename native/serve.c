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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_CREDIT = 256 * 1024, LINGER_MS = 20, SYS_CLOSE_RANGE = 436 };

static int null_fd, signal_fd;
/* All of it happens in one cell. */
static bool in_cell;

static void refuse(uint32_t id, const char *step, const char *message) {
  static char line[16384]; /* of a message of 2 KiB each byte may need six */
  tell('R', id, line, failed_line(line, sizeof line, step, message));
  tell_end(id, EXIT_SETUP << 8);
}

/* A file in memory: whoever reads it comes to its end, and nobody has to be there to write. */
static int input_file(const char *bytes, size_t size) {
  int fd = memfd_create("stdin", MFD_CLOEXEC);
  if (fd < 0) return -1;
  for (size_t done = 0; done < size;) {
    ssize_t put = write(fd, bytes + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      close(fd);
      return -1;
    }
    done += (size_t)put;
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

/* A limit below the numbers that are used here is the likely reason. */
__attribute__((noreturn)) static void no_descriptors(int reports) {
  char line[256];
  size_t size = failed_line(line, sizeof line, "descriptors", strerror(errno));
  if (write(reports, line, size) < 0) _exit(EXIT_SETUP); /* the caller has gone */
  _exit(EXIT_SETUP);
}

/* What belongs to this process and to other jobs is closed before anything else can hold it. */
static void take_descriptors(int input, int output, int reports, int cgroup) {
  int kept = fcntl(reports, F_DUPFD, 80), group = cgroup < 0 ? -1 : fcntl(cgroup, F_DUPFD, 80);
  if (kept < 0) no_descriptors(reports);
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(null_fd, 2) < 0) _exit(EXIT_SETUP);
  if (dup2(kept, REPORT_FD) < 0 || fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) < 0) _exit(EXIT_SETUP);
  close(3);
  if (syscall(SYS_CLOSE_RANGE, REPORT_FD + 1u, (in_cell ? RULESET_FD : CGROUP_FD) - 1u, 0) < 0) _exit(EXIT_SETUP);
  if (group >= 0 && dup2(group, CGROUP_FD) < 0) _exit(EXIT_SETUP);
  if (syscall(SYS_CLOSE_RANGE, (group >= 0 ? CGROUP_FD : PROC_FD) + 1u, ~0u, 0) < 0) _exit(EXIT_SETUP);
}

__attribute__((noreturn)) static void be_job(char *bytes, size_t size, int cgroup) {
  static struct order order;
  int failure = job_begin();
  if (failure) _exit(failure);
  const char *wrong = parse_order(&order, bytes, size);
  if (!wrong && order.inside != in_cell) wrong = "bad value of record: policy";
  if (!wrong && order.cell) wrong = "bad value of record: cell"; /* only `run` makes one for itself */
  if (!wrong && order.door) wrong = "bad value of record: door"; /* nobody outside is left to open it */
  if (in_cell) cell_adopt(&order);
  int code = wrong ? report_refused("order", wrong) : job_run(&order, cgroup < 0 ? -1 : CGROUP_FD);
  job_over(code);
  _exit(code);
}

struct ends {
  int input, output[2], reports[2];
};

static void close_theirs(const struct ends *ends) {
  if (ends->input != null_fd) close(ends->input);
  close(ends->output[1]);
  close(ends->reports[1]);
}

static bool open_ends(struct ends *ends, const char *input, uint32_t size) {
  ends->input = size == UINT32_MAX ? null_fd : input_file(input, size);
  if (ends->input < 0) return false;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends->output) == 0) {
    if (pipe2(ends->reports, O_CLOEXEC | O_NONBLOCK) == 0) return true;
    close(ends->output[0]);
    close(ends->output[1]);
  }
  if (ends->input != null_fd) close(ends->input);
  return false;
}

static void start(struct frame *frame) {
  uint32_t size;
  if (frame->size < sizeof size || jobs_find(frame->id)) leave();
  memcpy(&size, frame->payload, sizeof size);
  size_t fed = size == UINT32_MAX ? 0 : size;
  if (fed > frame->size - sizeof size) leave();
  char *input = frame->payload + sizeof size;
  if (in_cell && !places_hold_so_far()) return refuse(frame->id, "stale", "granted paths have been replaced");
  struct ends ends;
  if (!open_ends(&ends, input, size)) return refuse(frame->id, "descriptors", strerror(errno));
  int cgroup = cgroup_take();
  pid_t pid = fork();
  if (pid == 0) {
    take_descriptors(ends.input, ends.output[1], ends.reports[1], cgroup);
    be_job(input + fed, frame->size - sizeof size - fed, cgroup);
  }
  int error = errno;
  if (in_cell) places_ask();
  close_theirs(&ends);
  struct job job = {.id = frame->id, .pid = pid, .output = ends.output[0], .reports = ends.reports[0], .cgroup = cgroup};
  job.begun_at = now_ms();
  job.credit = FIRST_CREDIT;
  if (pid > 0 && jobs_add(job)) return;
  close(job.output);
  close(job.reports);
  cgroup_give_back(cgroup);
  if (pid > 0) kill(pid, SIGQUIT);
  refuse(frame->id, "fork", strerror(error));
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
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) jobs_exited(pid, status);
}

static void turn(void) {
  /* Whoever has been told of an end goes on with it: to be woken for a process that has nothing more to do would take his processor. */
  bool lingers = jobs_linger();
  size_t count = jobs_watch(CONTROL_FD, lingers ? -1 : signal_fd);
  if (!frames_flush(CONTROL_FD)) leave();
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
  null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return null_fd >= 0 && signal_fd >= 0 && jobs_open() && no_core_dumps();
}

/* For the keeper: why there is no cell goes out as a report of job 0. */
__attribute__((noreturn)) static void keep_cell(pid_t pid) {
  struct status failure = {.step = "cell", .message = strerror(errno)};
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
