/*
 * Child to helper, before exec: NUL-terminated strings whose first byte says what they are.
 * m layer the kernel lacks · n note · p process number outside the cell · r ready, exec comes next · f failure: code, step, message (three strings).
 * The pipe is CLOEXEC: EOF after `r` means that the exec happened.
 */
#include "helper.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int pipe_fd = -1;
static bool keeping;
static struct list kept;

void status_open(int fd) {
  pipe_fd = fd;
  keeping = false;
}

void status_keep(void) { keeping = true; }

static void send_bytes(const char *at, size_t left) {
  while (left > 0) {
    ssize_t put = write(pipe_fd, at, left);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) _exit(EXIT_SETUP);
    at += put;
    left -= (size_t)put;
  }
}

void status_replay(void) { send_bytes(kept.bytes, kept.length); }

static void send_text(char kind, const char *text) {
  char record[4096];
  int size = snprintf(record, sizeof record, "%c%s", kind, text);
  size_t whole = (size_t)size < sizeof record ? (size_t)size + 1 : sizeof record;
  if (keeping && (kind == 'm' || kind == 'n')) list_append(&kept, record, whole);
  else send_bytes(record, whole);
}

void status_missing(const char *layer) { send_text('m', layer); }
void status_pid(pid_t pid) {
  char digits[16];
  snprintf(digits, sizeof digits, "%d", pid);
  send_text('p', digits);
}

void status_ready(void) { send_text('r', ""); }

void status_note(const char *format, ...) {
  char text[2048];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  send_text('n', text);
}

void status_fail(int code, const char *step, const char *format, ...) {
  char text[2048], digits[16];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  snprintf(digits, sizeof digits, "%d", code);
  send_text('f', digits);
  send_text('s', step);
  send_text('t', text);
  _exit(code);
}

static void parse_one(char *text, struct status *status) {
  switch (text[0]) {
    case 'm': list_add(&status->missing, text + 1); break;
    case 'n': list_add(&status->notes, text + 1); break;
    case 'p': status->pid = atoi(text + 1); break;
    case 'r': status->ready = true; break;
    case 'f': status->code = atoi(text + 1); break;
    case 's': status->step = text + 1; break;
    /* The last string of a failure: only a whole one counts. */
    case 't':
      status->message = text + 1;
      status->failed = true;
      break;
    default: break;
  }
}

void status_parse(struct list *received, struct status *status) {
  for (size_t at = 0; at < received->length; at += strlen(received->bytes + at) + 1)
    parse_one(received->bytes + at, status);
}
