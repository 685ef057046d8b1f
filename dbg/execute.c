/* PATH lookup in the child, so that the policy judges it. */
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_binary(const char *path) {
  char head[128];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? 0 : read(fd, head, sizeof head);
  if (fd >= 0) close(fd);
  return got > 0 && memchr(head, '\0', (size_t)got);
}

/* As execvp does: a text of no known format is a script of the shell. A program of another machine is not. */
static void execute_script(const struct order *order, const char *path) {
  if (is_binary(path)) {
    errno = ENOEXEC;
    return;
  }
  char **shell = calloc(order->arg_count + 2, sizeof *shell);
  if (!shell) return;
  shell[0] = "sh";
  shell[1] = (char *)path;
  memcpy(shell + 2, order->arg + 1, order->arg_count * sizeof *shell);
  execve("/bin/sh", shell, order->env);
  free(shell);
}

/* Returns the errno. A file that somebody still writes is given 5, 20 and 80 ms to be closed. */
static int attempt(const struct order *order, const char *path) {
  static const long pauses_ms[] = {5, 20, 80};
  execve(path, order->arg, order->env);
  for (size_t i = 0; errno == ETXTBSY && i < sizeof pauses_ms / sizeof *pauses_ms; i++) {
    struct timespec pause = {0, pauses_ms[i] * 1000000};
    nanosleep(&pause, NULL);
    execve(path, order->arg, order->env);
  }
  if (errno == ENOEXEC) execute_script(order, path);
  return errno;
}

static const char *search_path(const struct order *order) {
  for (size_t i = 0; i < order->env_count; i++)
    if (strncmp(order->env[i], "PATH=", 5) == 0) return order->env[i] + 5;
  return "/usr/local/bin:/usr/bin:/bin";
}

/* Not there at all, as opposed to there with a missing interpreter (also ENOENT). */
static bool nothing_at(const char *path, int error) {
  return error == ENOTDIR || (error == ENOENT && access(path, F_OK) < 0);
}

/* Tries each directory. A refused file does not end the search, but is what is reported in the end. */
static void search(const struct order *order, const char *name) {
  static char path[PATH_MAX], refused[PATH_MAX];
  for (const char *at = search_path(order); *at;) {
    size_t length = strcspn(at, ":");
    int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
    /* An empty entry would mean the working directory; relative ones follow it. Neither is searched. */
    if (*at == '/' && size > 0 && (size_t)size < sizeof path) {
      int error = attempt(order, path);
      if (error == EACCES && !refused[0]) strcpy(refused, path);
      else if (error != EACCES && !nothing_at(path, error)) exec_failed(order, path, error);
    }
    at += length + (at[length] == ':');
  }
  if (refused[0]) exec_failed(order, refused, EACCES);
  status_fail(EXIT_NOT_FOUND, "exec", "command not found: %s", name);
}

void execute(const struct order *order) {
  const char *name = order->arg[0];
  if (!strchr(name, '/')) search(order, name);
  exec_failed(order, name, attempt(order, name));
}
