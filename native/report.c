/* JSON lines on descriptor 4. */
#include "helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void list_append(struct list *list, const char *added, size_t size) {
  if (list->length + size > list->capacity) {
    size_t capacity = (list->length + size) * 2;
    char *bytes = realloc(list->bytes, capacity);
    if (!bytes) abort();
    list->bytes = bytes;
    list->capacity = capacity;
  }
  memcpy(list->bytes + list->length, added, size);
  list->length += size;
}

void list_add(struct list *list, const char *text) { list_append(list, text, strlen(text) + 1); }

bool list_equals(const struct list *left, const struct list *right) {
  return left->length == right->length && (left->length == 0 || memcmp(left->bytes, right->bytes, left->length) == 0);
}

/* All reports of a run fit into a pipe that nobody reads (64 KiB, six bytes for an escaped one), so writing them never blocks. */
enum { LIST_BYTES = 4096 };

static FILE *report(void) {
  static FILE *stream;
  if (!stream) stream = fdopen(REPORT_FD, "w");
  if (!stream) _exit(EXIT_SETUP);
  return stream;
}

static void put_string(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f) fprintf(out, "\\u%04x", *c);
    else fputc(*c, out);
  }
  fputc('"', out);
}

static void put_list(FILE *out, const struct list *list) {
  size_t at = 0;
  fputc('[', out);
  for (; at < list->length && at < LIST_BYTES; at += strlen(list->bytes + at) + 1) {
    if (at) fputc(',', out);
    put_string(out, list->bytes + at);
  }
  if (at < list->length) fputs(",\"...\"", out);
  fputc(']', out);
}

/* A reader that has gone is noticed by the supervisor's poll, not here. */
static void finish(FILE *out) {
  fputs("}\n", out);
  fflush(out);
}

static void put_failed(FILE *out, const char *step, const char *message) {
  fputs("{\"type\":\"failed\",\"step\":", out);
  put_string(out, step);
  fputs(",\"message\":", out);
  put_string(out, message);
  finish(out);
}

void report_failed(const char *step, const char *message) { put_failed(report(), step, message); }

size_t failed_line(char *line, size_t size, const char *step, const char *message) {
  FILE *out = fmemopen(line, size, "w");
  if (!out) return 0;
  put_failed(out, step, message);
  long length = ftell(out);
  fclose(out);
  return length > 0 ? (size_t)length : 0;
}

int report_refused(const char *step, const char *message) {
  report_failed(step, message);
  return EXIT_SETUP;
}

void report_started(pid_t pid, const char *sandbox, const struct list *missing, const struct list *notes) {
  FILE *out = report();
  fprintf(out, "{\"type\":\"started\",\"pid\":%d,\"sandbox\":\"%s\",\"missing\":", pid, sandbox);
  put_list(out, missing);
  fputs(",\"notes\":", out);
  put_list(out, notes);
  finish(out);
}

void report_end(int wait_status, size_t left) {
  FILE *out = report();
  if (WIFSIGNALED(wait_status)) fprintf(out, "{\"type\":\"signal\",\"signal\":%d", WTERMSIG(wait_status));
  else fprintf(out, "{\"type\":\"exit\",\"code\":%d", WEXITSTATUS(wait_status));
  fprintf(out, ",\"left\":%zu", left);
  finish(out);
}
