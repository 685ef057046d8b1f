/* The jobs of `serve`: what they put out goes on to the caller, and what they reported. */
#include "jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

static struct {
  struct job *items;
  struct pollfd *fds;
  size_t count, capacity, watched;
  int64_t watched_at;
} jobs;

bool jobs_open(void) {
  jobs.fds = calloc(2, sizeof *jobs.fds);
  return jobs.fds;
}

struct pollfd *jobs_fds(void) { return jobs.fds; }

bool jobs_add(struct job job) {
  if (jobs.count == jobs.capacity) {
    size_t capacity = jobs.capacity ? jobs.capacity * 2 : 16;
    struct job *items = realloc(jobs.items, capacity * sizeof *items);
    if (items) jobs.items = items;
    struct pollfd *fds = items ? realloc(jobs.fds, (2 + 2 * capacity) * sizeof *fds) : NULL;
    if (!fds) return false;
    jobs.fds = fds;
    jobs.capacity = capacity;
  }
  jobs.items[jobs.count++] = job;
  return true;
}

struct job *jobs_find(uint32_t id) {
  for (size_t i = 0; i < jobs.count; i++)
    if (jobs.items[i].id == id && !jobs.items[i].told) return &jobs.items[i];
  return NULL;
}

void leave(void) { _exit(0); }

void tell(char type, uint32_t id, const void *payload, size_t size) {
  if (!frames_send(CONTROL_FD, type, id, payload, size)) leave();
}

void tell_end(uint32_t id, int status) {
  int32_t code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  tell('X', id, &code, sizeof code);
}

void jobs_give_up(struct job *job) {
  kill(job->pid, SIGQUIT);
  close(job->output);
  close(job->reports);
  close(job->nudge);
  cgroup_give_back(job->cgroup);
}

void jobs_exited(pid_t pid, int status) {
  for (size_t i = 0; i < jobs.count; i++) {
    struct job *job = &jobs.items[i];
    if (job->pid != pid || job->exited) continue;
    job->exited = true;
    if (!job->over) job->status = status;
  }
}

static char chunk[CHUNK];

/* One piece into `chunk`; 0: there is nothing for now. */
static size_t take(int *fd, size_t most) {
  ssize_t got = read(*fd, chunk, most < CHUNK ? most : CHUNK);
  if (got > 0) return (size_t)got;
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  close(*fd);
  *fd = -1;
  return 0;
}

static bool carry_output(struct job *job) {
  size_t size = job->output < 0 || job->credit <= 0 ? 0 : take(&job->output, (size_t)job->credit);
  if (size) tell('O', job->id, chunk, size);
  job->credit -= (int64_t)size;
  return size > 0;
}

static bool carry_reports(struct job *job) {
  size_t size = job->reports < 0 ? 0 : take(&job->reports, CHUNK);
  char *end = memchr(chunk, OVER_MARK, size);
  if (end) {
    job->over = true;
    job->status = (unsigned char)end[1] << 8;
  }
  size_t lines = end ? (size_t)(end - chunk) : size;
  if (lines) tell('R', job->id, chunk, lines);
  job->started = job->started || lines > 0;
  return size > 0;
}

/* Nobody writes any more once the job's process has closed its output or is gone, but what was written may still wait for credit. */
static bool is_over(struct job *job) {
  if (!job->exited && job->output >= 0) return false;
  while (carry_reports(job)) continue;
  while (carry_output(job)) continue;
  if (!job->exited && !job->over) return false;
  return job->output < 0 || job->credit > 0;
}

static void tell_over(struct job *job) {
  if (job->output >= 0) close(job->output);
  if (job->reports >= 0) close(job->reports);
  close(job->nudge);
  job->output = job->reports = -1;
  tell_end(job->id, job->status);
  job->told = true;
}

void jobs_sweep(void) {
  for (size_t i = 0; i < jobs.count;) {
    struct job *job = &jobs.items[i];
    if (!job->told && is_over(job)) tell_over(job);
    if (!job->told || !job->exited) {
      i++;
      continue;
    }
    cgroup_give_back(job->cgroup);
    jobs.items[i] = jobs.items[--jobs.count];
  }
}

static bool awaits_start(const struct job *job) { return !job->started && job->reports >= 0; }

static bool is_due(const struct job *job, int64_t now) { return awaits_start(job) && now >= job->begun_at + START_QUIET_MS; }

/*
 * Until the next job has run for long enough that its start is told by itself. One that has meanwhile (to send may have
 * taken a while) is not watched yet.
 */
int jobs_timeout(void) {
  int64_t now = now_ms();
  int64_t least = -1;
  for (size_t i = 0; i < jobs.count; i++) {
    const struct job *job = &jobs.items[i];
    int64_t due = job->begun_at + START_QUIET_MS, left = due > now ? due - now : 0;
    if (awaits_start(job) && due > jobs.watched_at && (least < 0 || left < least)) least = left;
  }
  return (int)least;
}

bool jobs_linger(void) {
  for (size_t i = 0; i < jobs.count; i++)
    if (!jobs.items[i].told) return false;
  return jobs.count > 0;
}

static void nudge(struct job *job) {
  if (!job->nudged) eventfd_write(job->nudge, 1);
  job->nudged = true;
}

size_t jobs_watch(int control, int signals) {
  int64_t now = jobs.watched_at = now_ms();
  jobs.watched = jobs.count;
  jobs.fds[0] = (struct pollfd){control, POLLIN, 0};
  jobs.fds[1] = (struct pollfd){signals, POLLIN, 0};
  for (size_t i = 0; i < jobs.count; i++) {
    struct job *job = &jobs.items[i];
    if (is_due(job, now)) nudge(job);
    jobs.fds[2 + 2 * i] = (struct pollfd){job->credit > 0 ? job->output : -1, POLLIN, 0};
    jobs.fds[3 + 2 * i] = (struct pollfd){is_due(job, now) ? job->reports : -1, POLLIN, 0};
  }
  return 2 + 2 * jobs.count;
}

void jobs_carry(void) {
  for (size_t i = 0; i < jobs.watched; i++) {
    struct job *job = &jobs.items[i];
    bool writes = jobs.fds[2 + 2 * i].revents;
    if (awaits_start(job) && (writes || jobs.fds[3 + 2 * i].revents)) carry_reports(job);
    if (writes) carry_output(job);
  }
}
