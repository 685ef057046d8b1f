/*
 * The helper after the fork: carries output, watches for signals, and ends only when the whole tree has.
 *   RUN    until the tool itself ends
 *   DRAIN  what it started may still write: until the pipe ends, 100 ms of silence, or 500 ms;
 *          after a SIGTERM: until nobody is left or the grace is over
 *   FLUSH  everybody is dead: the rest of the pipe goes out, then the report
 */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_MS = 100, DRAIN_MS = 500, STALL_MS = 500, NEVER = -1 };
enum phase { RUN, DRAIN, FLUSH, DONE };

static struct {
  enum phase phase;
  pid_t tool;
  bool ended, started, terminating, quitting, by_nudge;
  enum kin kin;
  int wait_status;
  size_t left;
  int64_t begun_at, ended_at, kill_at;
  int status_fd, signal_fd, nudge_fd;
  const struct order *(*order)(void);
  struct list received;
  struct status status;
} run;

static struct relay output;

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void on_reaped(pid_t pid, int status) {
  if (pid != run.tool || run.ended) return;
  run.ended = true;
  run.wait_status = status;
  run.ended_at = now_ms();
}

static void begin_termination(int64_t grace_ms) {
  if (run.terminating) return;
  run.terminating = true;
  run.kill_at = now_ms() + grace_ms;
  /* After the end of the tool its group number may belong to somebody else. */
  terminate_tree(run.ended ? 0 : run.tool);
}

static void on_signal(void) {
  struct signalfd_siginfo info;
  while (read(run.signal_fd, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGQUIT) run.quitting = true;
    else if (info.ssi_signo != SIGCHLD) begin_termination(run.order() ? run.order()->grace_ms : 0);
  }
}

static void report_start(void) {
  struct status *status = &run.status;
  status_parse(&run.received, status);
  if (status->failed || !status->ready) return;
  run.started = true;
  const struct order *order = run.order();
  const char *reach = !order->enforce ? "none" : order->cell && status->missing.length == 0 ? "full" : "partial";
  report_started(status->pid ? status->pid : run.tool, reach, &status->missing, &status->notes);
}

/* EOF after `ready` is the exec itself. False when there is nothing to read for now, or no more. */
static bool on_status(void) {
  char bytes[4096];
  ssize_t got = read(run.status_fd, bytes, sizeof bytes);
  if (got < 0) return errno == EINTR;
  if (got > 0) {
    list_append(&run.received, bytes, (size_t)got);
    return true;
  }
  close(run.status_fd);
  run.status_fd = -1;
  list_add(&run.received, "");
  report_start();
  return false;
}

static void read_status(void) {
  while (run.status_fd >= 0 && on_status()) continue;
}

static int64_t drain_deadline(void) {
  int64_t last = output.moved_at > run.ended_at ? output.moved_at : run.ended_at;
  int64_t quiet = last + QUIET_MS, limit = run.ended_at + DRAIN_MS;
  return quiet < limit ? quiet : limit;
}

static bool drained(void) {
  if (run.terminating) return run.kin == KIN_NONE || now_ms() >= run.kill_at;
  return output.ended || now_ms() >= drain_deadline();
}

static void end_tree(void) {
  bool by_itself = run.ended;
  size_t killed = kill_tree(on_reaped);
  run.kin = KIN_NONE;
  if (by_itself) run.left = killed;
  /* A process that even SIGKILL does not end for now (it hangs in a device) was killed all the same. */
  if (!run.ended) run.wait_status = SIGKILL;
  /* Its start is told before what it has put out. */
  read_status();
  run.phase = FLUSH;
  output.moved_at = now_ms();
}

/* Somebody waits for the end after a signal: a reader that does not read is then given up. */
static bool stalled(void) {
  return (run.terminating || run.quitting) && now_ms() >= output.moved_at + STALL_MS;
}

static void advance(void) {
  if (output.broken) run.quitting = true;
  if (run.phase == RUN && run.ended) run.phase = DRAIN;
  if (run.phase < FLUSH && run.quitting) end_tree();
  else if (run.phase == RUN && run.terminating && now_ms() >= run.kill_at) end_tree();
  else if (run.phase == DRAIN && drained()) end_tree();
  if (run.phase != FLUSH) return;
  while (!relay_holds(&output) && !output.ended && relay_pull(&output)) continue;
  if (!relay_holds(&output) || stalled()) run.phase = DONE;
}

/* Nothing is looked at that shows the start, for now. */
static bool is_quiet(void) {
  if (run.status_fd < 0) return false;
  return run.by_nudge ? run.nudge_fd >= 0 : now_ms() < run.begun_at + START_QUIET_MS;
}

static int64_t next_deadline(void) {
  if (run.phase == RUN && !run.terminating && !run.by_nudge && is_quiet()) return run.begun_at + START_QUIET_MS;
  if (run.phase == FLUSH) return run.terminating || run.quitting ? output.moved_at + STALL_MS : NEVER;
  if (run.terminating) return run.kill_at;
  return run.phase == DRAIN ? drain_deadline() : NEVER;
}

static int timeout(void) {
  if (run.kin == KIN_UNREAPED) return 0;
  int64_t deadline = next_deadline(), now = now_ms();
  if (deadline == NEVER) return NEVER;
  return deadline > now ? (int)(deadline - now) : 0;
}

/* A negative descriptor is left out by poll. Descriptor 4 is watched for a reader that has gone, until it has. */
static void turn(void) {
  bool holds = relay_holds(&output);
  struct pollfd fds[] = {
      {run.signal_fd, POLLIN, 0},
      {is_quiet() ? -1 : run.status_fd, POLLIN, 0},
      {holds || output.ended ? -1 : output.from, POLLIN, 0},
      {holds ? 1 : -1, POLLOUT, 0},
      {run.quitting ? -1 : REPORT_FD, 0, 0},
      {run.nudge_fd, POLLIN, 0},
  };
  if (poll(fds, sizeof fds / sizeof *fds, timeout()) < 0) return;
  if (fds[0].revents) on_signal();
  if (fds[0].revents || run.kin == KIN_UNREAPED) run.kin = reap(on_reaped);
  /* Whoever writes has been started. */
  if (fds[1].revents || fds[2].revents) read_status();
  if (fds[2].revents) relay_pull(&output);
  if (fds[3].revents) relay_push(&output);
  if (fds[4].revents) run.quitting = true;
  if (fds[5].revents) run.nudge_fd = -1;
}

static int open_signals(void) {
  sigset_t held;
  sigprocmask(SIG_BLOCK, NULL, &held);
  return signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int exit_code(void) {
  return WIFSIGNALED(run.wait_status) ? 128 + WTERMSIG(run.wait_status) : WEXITSTATUS(run.wait_status);
}

static int finish(void) {
  if (run.status.failed) {
    report_failed(run.status.step, run.status.message);
    return run.status.code;
  }
  if (!run.started && !run.terminating && !run.quitting) {
    report_failed("setup", "the tool's process ended before its exec");
    return EXIT_SETUP;
  }
  /* With the report the caller of one run has all there is. `serve` looks for reports once the output has ended. */
  if (!run.by_nudge) close(1);
  report_end(run.wait_status, run.left);
  return exit_code();
}

int supervise(const struct watched *watched) {
  int output_fd = watched->output_fd, status_fd = watched->status_fd;
  run.tool = watched->child;
  run.order = watched->order;
  run.nudge_fd = watched->nudge_fd;
  run.by_nudge = run.nudge_fd >= 0;
  run.status_fd = status_fd;
  run.begun_at = now_ms();
  run.signal_fd = open_signals();
  output.from = output_fd;
  fcntl(output_fd, F_SETFL, O_NONBLOCK);
  fcntl(status_fd, F_SETFL, O_NONBLOCK);
  /* Without its signals the helper could neither stop nor end. */
  if (run.signal_fd < 0) run.quitting = true;
  for (advance(); run.phase != DONE; advance()) turn();
  return finish();
}
