/*
 * The tool writes into a real pipe (so that it can open /dev/stdout); this carries the bytes on to
 * descriptor 1, which may be a socket. One buffer: it is filled again only when it is empty, so a slow
 * reader slows the tool down.
 */
#include "helper.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a pipe with POLLOUT takes without blocking, whoever else writes to it (PIPE_BUF). */
enum { PIPE_ATOM = 4096 };

bool relay_holds(const struct relay *relay) { return relay->start < relay->end; }

bool relay_pull(struct relay *relay) {
  ssize_t got = read(relay->from, relay->bytes, sizeof relay->bytes);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    relay->ended = true;
    return false;
  }
  relay->start = 0;
  relay->end = relay->broken ? 0 : (size_t)got;
  relay->moved_at = now_ms();
  return true;
}

/* Descriptor 1 may be shared with others, so its flags are left alone. */
static ssize_t put(const char *bytes, size_t size) {
  ssize_t sent = send(1, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || errno != ENOTSOCK) return sent;
  return write(1, bytes, size < PIPE_ATOM ? size : PIPE_ATOM);
}

void relay_push(struct relay *relay) {
  ssize_t sent = put(relay->bytes + relay->start, relay->end - relay->start);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (sent < 0) {
    relay->broken = true;
    relay->end = relay->start;
    return;
  }
  relay->start += (size_t)sent;
  relay->moved_at = now_ms();
}
