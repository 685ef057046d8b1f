/* jobs.c: the jobs of `serve`. */
#ifndef OLLIE_JOBS_H
#define OLLIE_JOBS_H

#include "helper.h"

enum { CONTROL_FD = 3 };

struct job {
  uint32_t id;
  pid_t pid;
  /* -1 once they have ended. */
  int output, reports;
  /* Tells it to report the start: an eventfd. */
  int nudge;
  bool nudged;
  /* A first report has gone out. The others come with the end, which is not long after them. */
  bool started;
  /* Its process has said that it is done, with which code; has been reaped; its end has gone out. */
  bool over, exited, told;
  int status;
  int64_t begun_at, credit;
  /* -1: none. */
  int cgroup;
};

/* What a frame `S` holds. */
struct call {
  bool fed;
  const char *input, *order;
  size_t input_size, size;
  uint32_t ticket;
};

/* serve.c: all of it happens in one cell. */
extern bool in_cell;

/* spare.c: once. */
bool spare_open(void);
/* Makes the next job, unless there is one. */
void spare_prepare(void);
void spare_exited(pid_t pid);
/* Starts a call. Fills in all but the id. Gives the step that failed, with its errno; `job->pid` tells whether there is a process all the same. */
const char *spare_start(struct job *job, const struct call *call);

bool jobs_open(void);
bool jobs_add(struct job job);
/* One whose end has not been told. */
struct job *jobs_find(uint32_t id);
/* Ends one that is not among them. */
void jobs_give_up(struct job *job);
void jobs_exited(pid_t pid, int status);
/* Ends have been told whose processes are not reaped yet; nothing else runs. */
bool jobs_linger(void);
/* What to poll for: the two, then each job's. Gives their number; how long at most; what they are. */
struct pollfd;
size_t jobs_watch(int control, int signals);
int jobs_timeout(void);
struct pollfd *jobs_fds(void);
/* After the poll. */
void jobs_carry(void);
/* Tells the ends, and forgets what has ended. */
void jobs_sweep(void);

void tell(char type, uint32_t id, const void *payload, size_t size);
void tell_end(uint32_t id, int status);
/* The caller has gone. */
__attribute__((noreturn)) void leave(void);

#endif
