/* Frames between `serve` and its caller, on one stream socket. */
#include "helper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

/* What waits to be sent, all in one write. */
static char held[FIRST];
static size_t held_size;

static bool put(int fd, const char *from, size_t size) {
  while (size > 0) {
    ssize_t sent = send(fd, from, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    from += sent;
    size -= (size_t)sent;
  }
  return true;
}

bool frames_flush(int fd) {
  size_t size = held_size;
  held_size = 0;
  return put(fd, held, size);
}

static void hold(const void *part, size_t size) {
  memcpy(held + held_size, part, size);
  held_size += size;
}

bool frames_send(int fd, char type, uint32_t id, const void *payload, size_t size) {
  uint32_t length = (uint32_t)(FRAME_HEAD + size);
  if (held_size + LENGTH + length > sizeof held && !frames_flush(fd)) return false;
  hold(&length, LENGTH);
  hold(&type, 1);
  hold(&id, sizeof id);
  if (held_size + size > sizeof held) return frames_flush(fd) && put(fd, payload, size);
  hold(payload, size);
  return true;
}
