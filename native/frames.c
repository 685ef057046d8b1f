/* Frames between `serve` and its caller, on one stream socket. */
#include "helper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FIRST = 64 * 1024, LENGTH = 4 };

/* What has arrived: frames from `at` on, up to `end`. */
static char *bytes;
static size_t capacity, at, end;

/* Room for `wanted` bytes from `at` on. A large frame's memory is given back with the next small one. */
static bool make_room(size_t wanted) {
  if (at > 0) memmove(bytes, bytes + at, end - at);
  end -= at;
  at = 0;
  size_t size = wanted > end ? wanted : end;
  if (size < FIRST) size = FIRST;
  if (size <= capacity && capacity <= 4 * FIRST) return true;
  char *moved = realloc(bytes, size);
  if (!moved) return false;
  bytes = moved;
  capacity = size;
  return true;
}

static bool frame_length(uint32_t *length) {
  if (end - at < LENGTH) return false;
  memcpy(length, bytes + at, LENGTH);
  return true;
}

bool frames_fill(int fd) {
  uint32_t length = 0;
  if (frame_length(&length) && (length < FRAME_HEAD || length > MAX_FRAME)) return false;
  if (!make_room(LENGTH + (size_t)length)) return false;
  ssize_t got = read(fd, bytes + end, capacity - end);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  end += (size_t)got;
  return got > 0;
}

bool frames_next(struct frame *frame) {
  uint32_t length;
  if (!frame_length(&length) || length < FRAME_HEAD || end - at < LENGTH + (size_t)length) return false;
  const char *head = bytes + at + LENGTH;
  frame->type = head[0];
  memcpy(&frame->id, head + 1, sizeof frame->id);
  frame->payload = bytes + at + LENGTH + FRAME_HEAD;
  frame->size = length - FRAME_HEAD;
  at += LENGTH + (size_t)length;
  return true;
}

bool frames_send(int fd, char type, uint32_t id, const void *payload, size_t size) {
  char head[LENGTH + FRAME_HEAD];
  uint32_t length = (uint32_t)(FRAME_HEAD + size);
  memcpy(head, &length, LENGTH);
  head[LENGTH] = type;
  memcpy(head + LENGTH + 1, &id, sizeof id);
  struct iovec parts[] = {{head, sizeof head}, {(void *)payload, size}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  for (size_t left = sizeof head + size; left > 0;) {
    ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    left -= (size_t)sent;
    for (size_t i = 0, gone = (size_t)sent; i < 2; i++) {
      size_t part = gone < parts[i].iov_len ? gone : parts[i].iov_len;
      parts[i].iov_base = (char *)parts[i].iov_base + part;
      parts[i].iov_len -= part;
      gone -= part;
    }
  }
  return true;
}
