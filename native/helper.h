/* Shared declarations of the sandbox helper. native/README.md is the contract with its caller. */
#ifndef OLLIE_HELPER_H
#define OLLIE_HELPER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The tool finds its door where the order was. RULESET and PROC exist in cells only: the rules of all its jobs, and the /proc of the system. */
enum descriptor { ORDER_FD = 3, DOOR_FD = 3, REPORT_FD = 4, RULESET_FD = 70, PROC_FD = 71, CGROUP_FD = 72 };
enum exit_code { EXIT_USAGE = 2, EXIT_SETUP = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };
enum grant_class { GRANT_RO, GRANT_ROX, GRANT_RW, GRANT_RWX, GRANT_CLASSES };

struct grant {
  const char *path;
  enum grant_class access;
};

struct limit {
  int resource;
  uint64_t value;
};

enum { MAX_LIMITS = 8 };

/* One order, checked. Strings point into the bytes that were read. */
struct order {
  bool enforce, best_effort, network, cell, unix_sockets;
  /* An order to a cell: policy and grants are those of the cell. */
  bool inside;
  const char *cwd;
  /* What a cell has at /tmp; NULL: a file system in memory. */
  const char *tmp;
  /* NULL: none. */
  const char *door;
  int64_t grace_ms;
  mode_t umask;
  struct grant *grants;
  size_t grant_count;
  /* Symbolic links that lead to granted paths: a cell has to hold them too. */
  const char **links;
  size_t link_count;
  char **env, **arg;
  size_t env_count, arg_count;
  struct limit limits[MAX_LIMITS];
  size_t limit_count;
};

/* order.c: reads descriptor 3 to EOF. Returns NULL, or what is wrong with the order. */
const char *read_order(struct order *order);
/* The same for bytes that are there; they are written to, and pointed into. */
const char *parse_order(struct order *order, char *bytes, size_t length);
/* An order that makes a cell: it has no program. */
const char *parse_cell_order(struct order *order, char *bytes, size_t length);

/* report.c: JSON lines on descriptor 4. A list is a sequence of NUL-terminated strings. */
struct list {
  char *bytes;
  size_t length, capacity;
};
void list_add(struct list *list, const char *text);
void list_append(struct list *list, const char *bytes, size_t size);
bool list_equals(const struct list *left, const struct list *right);
void report_failed(const char *step, const char *message);
/* The same line as bytes; 0: it has no room. */
size_t failed_line(char *line, size_t size, const char *step, const char *message);
/* The same for a step before the fork: gives the exit code. */
int report_refused(const char *step, const char *message);
void report_started(pid_t pid, const char *sandbox, const struct list *missing, const struct list *notes);
void report_end(int wait_status, size_t left);

/* reason.c: the text of an errno, or which limit it means and what it must be. */
enum { ENOUGH_FDS = 128 };
const char *reason(int error);
/* Of fork and clone. */
const char *fork_reason(int error);

/* status.c: what the child tells the helper before its exec, over a CLOEXEC pipe. */
struct status {
  bool ready, failed;
  int code;
  /* The tool's process number outside the cell; 0: as it is seen here. */
  pid_t pid;
  const char *step, *message;
  struct list missing, notes;
};
void status_open(int fd);
/* Until the next status_open: only failures go out. What is missing and what is noted is kept for `status_replay`. */
void status_keep(void);
void status_replay(void);
void status_missing(const char *layer);
__attribute__((format(printf, 1, 2))) void status_note(const char *format, ...);
void status_pid(pid_t pid);
void status_ready(void);
__attribute__((noreturn, format(printf, 3, 4))) void status_fail(int code, const char *step, const char *format, ...);
void status_parse(struct list *received, struct status *status);

/* door.c: connects DOOR_FD. Gives the errno. */
int door_open(const char *path);

/* child.c: the setup steps in their order, then exec. Never returns. */
__attribute__((noreturn)) void child_main(const struct order *order);
/* Before it: what no order is needed for. */
void child_begin(pid_t helper);
/* Of the layers what is inherited: capabilities, no_new_privs, the filter. A cell does it once for all its jobs. */
void confine(const struct order *order);

/* landlock.c */
int landlock_abi(void);
int landlock_errata(void);
int landlock_compile(const struct order *order, bool filtered);
/* With the network off a cell has one of its own. */
bool has_own_network(const struct order *order);
void landlock_enter(int ruleset);

/* seccomp.c */
bool seccomp_available(void);
/* Which families socket() opens besides routes of netlink; whether there are System V IPC and POSIX queues. */
void seccomp_enter(bool inet, bool unix_sockets, bool ipc);

/* capabilities.c */
void drop_capabilities(void);

/* execute.c: PATH lookup and exec; reports why it failed. */
__attribute__((noreturn)) void execute(const struct order *order);
/* diagnose.c */
__attribute__((noreturn)) void exec_failed(const struct order *order, const char *path, int error);

/* tree.c: every process below the helper. False when /proc cannot show them. */
bool tree_open(void);
/* TERM to every descendant; to the processes of `group`, if it is not 0, all at once. */
void terminate_tree(pid_t group);
/* Where the tree began; it ends there at once, and is looked for below the helper besides. */
void tree_in_cgroup(int cgroup);
/* Freezes, kills and reaps until nothing is left (or nothing has ended for 5 s). Returns how many were alive. */
size_t kill_tree(void (*reaped)(pid_t pid, int status));
/* Reaps what has ended, a bounded number at a time: a fork storm must not keep the helper from its deadlines. */
enum kin { KIN_NONE, KIN_ALIVE, KIN_UNREAPED };
enum kin reap(void (*reaped)(pid_t pid, int status));

/* relay.c: the tool's output, from its pipe to descriptor 1. */
struct relay {
  int from;
  bool ended, broken;
  int64_t moved_at;
  size_t start, end;
  char bytes[65536];
};
/* False when the pipe has nothing for now. */
bool relay_pull(struct relay *relay);
void relay_push(struct relay *relay);
bool relay_holds(const struct relay *relay);

/* supervise.c */
struct watched {
  pid_t child;
  int status_fd, output_fd;
  /* -1: the start is reported by itself. Else when this eventfd says so, or with the first output or the end. */
  int nudge_fd;
  /* NULL: it has none yet. */
  const struct order *(*order)(void);
};
int supervise(const struct watched *watched);
/* clock */
int64_t now_ms(void);

/* job.c: what a process does that runs one order. The last two return its exit code, after a report of what went wrong. */
void fill_stdio(void);
/* Whatever the caller ignores: once, in the process that the caller starts. */
void default_signals(void);
void ignore_signals(void);
void give_back_signals(void);
int job_begin(void);
/* From here on signals are read from a signalfd: the helper lives until the tool's tree is gone. */
void hold_signals(void);
/* `cgroup`: -1, or one that the tool begins in. */
int job_run(const struct order *order, int cgroup);
/* The same before there is an order. */
int job_ahead(int cgroup, int nudge);
/* spare.c: in the tool's process, waits for the order; in the job's process, what is known of it. */
const struct order *spare_await(void);
const struct order *spare_order(void);
/*
 * For `serve`: the end of the reports, and with which code this process is about to exit. That the output has ended, which
 * is what is waited for, comes last.
 */
enum { OVER_MARK = '\0' };
void job_over(int code);
/* A program that is done sooner has its start told with its end: waking those who watch takes longer than such a program. */
enum { START_QUIET_MS = 2 };
/* Core dumps are off for this process and all below it. */
bool no_core_dumps(void);

/* frames.c: `length u32 | type u8 | id u32 | payload`, little-endian as the machine; the length counts what follows it. */
/* No kernel starts a program with more. */
enum { MAX_ORDER = 8 << 20 };
enum { FRAME_HEAD = 5, MAX_FRAME = 40 << 20 };
struct frame {
  char type;
  uint32_t id;
  char *payload;
  size_t size;
};
/* Reads what is there. False at the end, or when the stream makes no sense. */
bool frames_fill(int fd);
/* The next whole frame, whose payload is good until the next call. */
bool frames_next(struct frame *frame);
/* Goes out with the next flush at the latest. Both wait until all is taken; false when there is nobody. */
bool frames_flush(int fd);
bool frames_send(int fd, char type, uint32_t id, const void *payload, size_t size);

/* view.c: the file tree of a cell. Ends the process when it cannot be made. */
void view_build(const struct order *order);
bool is_below(const char *path, const char *directory);
/* own.c: whether a cell has something else at this path: a link to its own terminals. */
bool view_replaces(const char *path);
/* Whether it has something else at or above it. */
bool view_owns(const char *path);
/* What a cell grants beyond the policy: its private /tmp, /dev/shm, terminals and message queues. */
enum { VIEW_GRANTS = 4 };
size_t view_grants(const struct order *order, struct grant *grants);

/* cell.c: 0 in the first process of the new cell, as fork; -1: namespaces cannot be had. */
/* `lasting`: for many jobs, whose rules are made once. */
pid_t cell_divide(const struct order *order, bool lasting);
/* In the cell: gives an order to it what the cell was made with. */
void cell_adopt(struct order *order);
/* For the keeper: returns the wait status of that process. The end of the stream `caller` (-1: none) ends the cell. */
int cell_keep(pid_t pid, int caller);
/* For the keeper: whether the cell could not be made, and why. */
bool cell_failure(struct status *status);

/* mounts.c: remembers what is mounted below granted paths. Gives a descriptor that polls as POLLPRI when any mount comes or goes. */
int mounts_open(const struct order *order);
bool mounts_are_same(const struct order *order);

/* places.c: begins to look after the granted paths of an order, from outside of its cell. */
bool places_watch(const struct order *order);
/* For the keeper: that is for the cell to ask. */
void places_leave(void);
/* In the cell: waits until it is known where they lead. False: nobody looks. */
bool places_remembered(void);
/* In the cell, for the next job: the number of its look. False when it is known already that they lead elsewhere. */
bool places_hold_so_far(uint32_t *number);
/* Has it looked at again, meanwhile. */
void places_ask(uint32_t number);
/* In a job: which look is its own. */
void places_expect(uint32_t number);
/* In a job: whether they still lead there, and the same is mounted below. False for ever once the answer took too long. True outside of cells. */
bool places_hold(void);

/* serve.c: `cell`: all in one cell, whose order is the first frame. */
int serve(bool cell);

/* probe.c */
int probe(void);

/* peer.c */
int peer(void);

/* mount.c: exit codes. */
int mount_mode(const char *directory);
int umount_mode(const char *directory);
/* bridge.c: returns when descriptor 0 ends, SIGTERM comes, or the mount is gone: then true. */
bool bridge(int device);

/* cgroup.c: once, by a process that starts runs. False: there are none, and nothing of the rest has an effect. */
bool cgroup_open(void);
/* An empty one for a run, as a descriptor; -1: none. */
int cgroup_take(void);
/* As fork; the child begins in the cgroup where that can be. */
pid_t cgroup_fork(int cgroup);
/* How many processes are in it. */
size_t cgroup_count(int cgroup);
/* Ends all that is in it. False: it could not. */
bool cgroup_kill(int cgroup);
/* After the end of its run, to be taken again if it may. */
void cgroup_give_back(int cgroup);

#endif
