/* What this kernel offers, as one JSON object. */
#include "helper.h"

#include <sched.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where user namespaces are restricted the first call may pass and the second one not. */
static bool user_namespaces(void) {
  pid_t child = fork();
  if (child == 0) _exit(unshare(CLONE_NEWUSER) == 0 && unshare(CLONE_NEWNS) == 0 ? 0 : 1);
  int status;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Everything but the grants. */
static bool cells(void) {
  struct order empty = {.enforce = true, .cell = true};
  pid_t pid = cell_divide(&empty, false);
  if (pid == 0) _exit(0);
  int status;
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *word(bool value) { return value ? "true" : "false"; }

int probe(void) {
  struct utsname system;
  if (uname(&system) < 0) return EXIT_SETUP;
  printf("{\"landlock\":%d,\"errata\":%d,\"seccomp\":%s,\"userns\":%s,\"cells\":%s,\"kernel\":\"%s\",\"machine\":\"%s\"}\n",
         landlock_abi(), landlock_errata(), word(seccomp_available()), word(user_namespaces()), word(cells()), system.release, system.machine);
  return 0;
}
