/* One clear sentence for each way in which an exec fails; the kernel says ENOENT for four of them. */
#include "helper.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char interpreter[PATH_MAX];

static bool script_interpreter(const char *head, size_t size) {
  if (size < 3 || memcmp(head, "#!", 2) != 0) return false;
  const char *at = head + 2, *limit = head + size;
  while (at < limit && (*at == ' ' || *at == '\t')) at++;
  size_t length = 0;
  while (at + length < limit && !strchr(" \t\n", at[length])) length++;
  memcpy(interpreter, at, length);
  return length > 0;
}

static bool elf_interpreter(int fd) {
  Elf64_Ehdr file;
  Elf64_Phdr part;
  if (pread(fd, &file, sizeof file, 0) != sizeof file || memcmp(file.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (file.e_ident[EI_CLASS] != ELFCLASS64 || file.e_phentsize != sizeof part) return false;
  for (unsigned i = 0; i < file.e_phnum; i++) {
    if (pread(fd, &part, sizeof part, (off_t)(file.e_phoff + i * sizeof part)) != sizeof part) return false;
    if (part.p_type != PT_INTERP || part.p_filesz >= sizeof interpreter) continue;
    return pread(fd, interpreter, part.p_filesz, (off_t)part.p_offset) == (ssize_t)part.p_filesz;
  }
  return false;
}

static bool find_interpreter(const char *path) {
  char head[256];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t got = pread(fd, head, sizeof head, 0);
  bool found = got > 0 && (script_interpreter(head, (size_t)got) || elf_interpreter(fd));
  close(fd);
  return found;
}

__attribute__((noreturn)) static void not_found(const char *path) {
  if (access(path, F_OK) < 0) status_fail(EXIT_NOT_FOUND, "exec", "no such file: %s", path);
  if (!find_interpreter(path)) status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: its interpreter does not exist", path);
  const char *hint = strchr(interpreter, '\r') ? " (CRLF line ends?)" : "";
  status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: interpreter '%s' not found%s", path, interpreter, hint);
}

__attribute__((noreturn)) static void refused(const struct order *order, const char *path) {
  struct stat info;
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: is a directory", path);
  if (access(path, X_OK) < 0) status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: not executable (chmod +x?)", path);
  if (!order->enforce) status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: permission denied", path);
  status_fail(EXIT_NOT_EXECUTABLE, "exec",
              "%s: permission denied: the sandbox policy grants no execute right (rox, rwx) on it or on its interpreter", path);
}

static size_t total_bytes(const struct order *order) {
  size_t total = 0;
  for (size_t i = 0; i < order->arg_count; i++) total += strlen(order->arg[i]) + 1;
  for (size_t i = 0; i < order->env_count; i++) total += strlen(order->env[i]) + 1;
  return total;
}

void exec_failed(const struct order *order, const char *path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: not_found(path);
    case EACCES: refused(order, path);
    case ENOEXEC: status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: not a program for this machine", path);
    case ETXTBSY: status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: text file busy: it is open for writing", path);
    case E2BIG:
      status_fail(EXIT_NOT_EXECUTABLE, "exec",
                  "%s: arguments too long: %zu bytes with the environment; one string may have 131071 bytes, use a file or stdin",
                  path, total_bytes(order));
    default: status_fail(EXIT_NOT_EXECUTABLE, "exec", "%s: %s", path, strerror(error));
  }
}
