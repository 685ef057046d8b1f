/*
 * The next job of `serve`, made while nothing else is to do: its process and the tool's process before exec wait for an
 * order, which they find in memory that they share with this one. What is left to do for a call is what depends on it.
 */
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SYS_CLOSE_RANGE = 436, ABOVE_ALL = 80, FIRST_CREDIT = 256 * 1024 };
enum { INPUT_FD = 73, GO_FD = 74, NUDGE_FD = 75 };

struct handover {
  /* Everything else is there. */
  _Atomic bool given;
  /* It has a standard input, which is INPUT_FD. */
  bool fed;
  uint32_t ticket;
  size_t size;
  char bytes[MAX_ORDER];
};

/* pid 0: there is none. */
static struct {
  pid_t pid;
  int input, go, nudge, output[2], reports[2], cgroup;
  struct handover *handover;
} spare = {.input = -1, .go = -1, .nudge = -1, .output = {-1, -1}, .reports = {-1, -1}, .cgroup = -1};

static int null_fd = -1;
/* The last one ended by itself: another would as well. */
static bool spoilt;

bool spare_open(void) {
  null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  return null_fd >= 0;
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

__attribute__((noreturn)) static void no_descriptors(int reports) {
  char line[256];
  size_t size = failed_line(line, sizeof line, "descriptors", reason(errno));
  if (write(reports, line, size) < 0) _exit(EXIT_SETUP); /* the caller has gone */
  _exit(EXIT_SETUP);
}

static int raised(int fd) {
  int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ABOVE_ALL);
  if (fd >= 0 && high < 0) no_descriptors(spare.reports[1]);
  return high;
}

static void place(int fd, int number) {
  if (fd < 0) close(number);
  else if (dup3(fd, number, O_CLOEXEC) < 0) _exit(EXIT_SETUP);
}

/* What belongs to this process and to other jobs is closed before anything else can hold it. */
static void take_descriptors(void) {
  int reports = raised(spare.reports[1]), group = raised(spare.cgroup), input = raised(spare.input);
  int go = raised(spare.go), nudge = raised(spare.nudge), output = raised(spare.output[1]);
  if (dup2(null_fd, 0) < 0 || dup2(output, 1) < 0 || dup2(null_fd, 2) < 0) _exit(EXIT_SETUP);
  close(3);
  place(reports, REPORT_FD);
  if (syscall(SYS_CLOSE_RANGE, REPORT_FD + 1u, (in_cell ? RULESET_FD : CGROUP_FD) - 1u, 0) < 0) _exit(EXIT_SETUP);
  place(group, CGROUP_FD);
  place(input, INPUT_FD);
  place(go, GO_FD);
  place(nudge, NUDGE_FD);
  if (syscall(SYS_CLOSE_RANGE, NUDGE_FD + 1u, ~0u, 0) < 0) _exit(EXIT_SETUP);
}

static const char *parse(struct order *order) {
  char *bytes = malloc(spare.handover->size + 1);
  if (!bytes) return "no memory for the order";
  memcpy(bytes, spare.handover->bytes, spare.handover->size);
  const char *wrong = parse_order(order, bytes, spare.handover->size);
  if (wrong) return wrong;
  if (order->inside != in_cell) return "bad value of record: policy";
  if (order->cell) return "bad value of record: cell"; /* only `run` makes one for itself */
  if (order->door) return "bad value of record: door"; /* nobody outside is left to open it */
  if (in_cell) cell_adopt(order);
  return NULL;
}

const struct order *spare_order(void) {
  static struct order order;
  static bool parsed;
  if (!parsed && spare.handover->given) parsed = parse(&order) == NULL;
  return parsed ? &order : NULL;
}

const struct order *spare_await(void) {
  static struct order order;
  eventfd_t value;
  while (eventfd_read(GO_FD, &value) < 0)
    if (errno != EINTR) _exit(EXIT_SETUP);
  if (spare.handover->fed && dup2(INPUT_FD, 0) < 0) status_fail(EXIT_SETUP, "descriptors", "%s", reason(errno));
  places_expect(spare.handover->ticket);
  const char *wrong = parse(&order);
  if (wrong) status_fail(EXIT_SETUP, "order", "%s", wrong);
  return &order;
}

__attribute__((noreturn)) static void be_job(void) {
  int code = job_begin();
  if (!code) code = job_ahead(spare.cgroup < 0 ? -1 : CGROUP_FD, NUDGE_FD);
  job_over(code);
  _exit(code);
}

static bool open_all(void) {
  spare.handover = mmap(NULL, sizeof *spare.handover, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  spare.input = memfd_create("stdin", MFD_CLOEXEC);
  spare.go = eventfd(0, EFD_CLOEXEC);
  spare.nudge = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (spare.handover == MAP_FAILED) spare.handover = NULL;
  return spare.handover && spare.input >= 0 && spare.go >= 0 && spare.nudge >= 0 &&
         socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, spare.output) == 0 &&
         pipe2(spare.reports, O_CLOEXEC | O_NONBLOCK) == 0;
}

/* Of this process; what the job needs of it has been taken out before. */
static void shut_all(void) {
  if (spare.handover) munmap(spare.handover, sizeof *spare.handover);
  spare.handover = NULL;
  int *all[] = {&spare.input, &spare.go, &spare.nudge, &spare.output[0], &spare.output[1], &spare.reports[0], &spare.reports[1]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) shut(all[i]);
  spare.pid = 0;
}

/* Gives the step that failed, with its errno. */
static const char *make(void) {
  int error = 0;
  const char *step = open_all() ? NULL : "descriptors";
  if (!step) {
    spare.cgroup = cgroup_take();
    spare.pid = fork();
    if (spare.pid == 0) {
      take_descriptors();
      be_job();
    }
    if (spare.pid < 0) step = "fork";
  }
  error = errno;
  if (step) {
    shut_all();
    cgroup_give_back(spare.cgroup);
    spare.cgroup = -1;
  } else {
    shut(&spare.output[1]);
    shut(&spare.reports[1]);
  }
  errno = error;
  return step;
}

void spare_prepare(void) {
  if (spare.pid == 0 && !spoilt) spoilt = make() != NULL;
}

void spare_exited(pid_t pid) {
  if (pid != spare.pid) return;
  spoilt = true;
  shut_all();
  cgroup_give_back(spare.cgroup);
  spare.cgroup = -1;
}

static bool put_input(const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t put = write(spare.input, bytes + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    done += (size_t)put;
  }
  return lseek(spare.input, 0, SEEK_SET) == 0;
}

const char *spare_start(struct job *job, const struct call *call) {
  if (call->size > MAX_ORDER) return errno = E2BIG, "order";
  const char *step = spare.pid == 0 ? make() : NULL;
  if (step) return step;
  spoilt = false;
  spare.handover->fed = call->fed;
  spare.handover->ticket = call->ticket;
  spare.handover->size = call->size;
  memcpy(spare.handover->bytes, call->order, call->size);
  bool ready = !call->fed || put_input(call->input, call->input_size);
  int error = errno;
  spare.handover->given = ready;
  if (ready) eventfd_write(spare.go, 1);
  else kill(spare.pid, SIGQUIT);
  *job = (struct job){.id = job->id, .pid = spare.pid, .output = spare.output[0], .reports = spare.reports[0], .nudge = spare.nudge};
  job->cgroup = spare.cgroup;
  job->begun_at = now_ms();
  job->credit = FIRST_CREDIT;
  spare.output[0] = spare.reports[0] = spare.nudge = spare.cgroup = -1;
  shut_all();
  errno = error;
  return ready ? NULL : "input";
}
