/* The order: NUL-terminated records `key=value` on descriptor 3, the last one `end=`. */
#include "helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>


/* NULL when it cannot be read or is too long. */
static char *read_all(size_t *length) {
  char *bytes = malloc(MAX_ORDER);
  while (bytes && *length < MAX_ORDER) {
    ssize_t got = read(ORDER_FD, bytes + *length, MAX_ORDER - *length);
    if (got == 0) return bytes;
    if (got < 0 && errno != EINTR) return NULL;
    if (got > 0) *length += (size_t)got;
  }
  return NULL;
}

static bool number(const char *text, int base, uint64_t max, uint64_t *value) {
  if (*text < '0' || *text > '9') return false;
  char *rest;
  errno = 0;
  unsigned long long parsed = strtoull(text, &rest, base);
  *value = parsed;
  return errno == 0 && *rest == '\0' && parsed <= max;
}

static bool flag(const char *text, bool *value) {
  *value = text[0] == '1';
  return (text[0] == '0' || text[0] == '1') && text[1] == '\0';
}

static bool take_version(struct order *order, char *value) {
  (void)order;
  return strcmp(value, "1") == 0;
}

static bool take_policy(struct order *order, char *value) {
  order->enforce = strcmp(value, "none") != 0;
  order->inside = strcmp(value, "cell") == 0;
  return !order->enforce || order->inside || strcmp(value, "enforce") == 0;
}

static bool take_best_effort(struct order *order, char *value) { return flag(value, &order->best_effort); }
static bool take_network(struct order *order, char *value) { return flag(value, &order->network); }
static bool take_cell(struct order *order, char *value) { return flag(value, &order->cell); }
static bool take_unix(struct order *order, char *value) { return flag(value, &order->unix_sockets); }

static bool take_link(struct order *order, char *value) {
  order->links[order->link_count++] = value;
  return value[0] == '/';
}

static bool take_grant(struct order *order, char *value, enum grant_class access) {
  order->grants[order->grant_count++] = (struct grant){value, access};
  return value[0] == '/';
}

static bool take_ro(struct order *order, char *value) { return take_grant(order, value, GRANT_RO); }
static bool take_rox(struct order *order, char *value) { return take_grant(order, value, GRANT_ROX); }
static bool take_rw(struct order *order, char *value) { return take_grant(order, value, GRANT_RW); }
static bool take_rwx(struct order *order, char *value) { return take_grant(order, value, GRANT_RWX); }

static bool take_cwd(struct order *order, char *value) {
  order->cwd = value;
  return value[0] == '/';
}

static bool take_door(struct order *order, char *value) {
  order->door = value;
  return value[0] == '/';
}

static bool take_tmp(struct order *order, char *value) {
  order->tmp = value;
  return value[0] == '/';
}

static bool take_env(struct order *order, char *value) {
  order->env[order->env_count++] = value;
  char *equals = strchr(value, '=');
  return equals && equals != value;
}

static bool take_arg(struct order *order, char *value) {
  order->arg[order->arg_count++] = value;
  return order->arg_count > 1 || value[0] != '\0';
}

static bool take_grace(struct order *order, char *value) {
  uint64_t ms;
  if (!number(value, 10, 3600000, &ms)) return false;
  order->grace_ms = (int64_t)ms;
  return true;
}

static bool take_umask(struct order *order, char *value) {
  uint64_t mask;
  if (!number(value, 8, 0777, &mask)) return false;
  order->umask = (mode_t)mask;
  return true;
}

static const struct {
  const char *name;
  int resource;
} resources[] = {
    {"cpu", RLIMIT_CPU},     {"fsize", RLIMIT_FSIZE}, {"nofile", RLIMIT_NOFILE},
    {"nproc", RLIMIT_NPROC}, {"as", RLIMIT_AS},
};

static bool take_limit(struct order *order, char *value) {
  char *colon = strchr(value, ':');
  if (!colon || order->limit_count == MAX_LIMITS) return false;
  *colon = '\0';
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
    if (strcmp(resources[i].name, value) != 0) continue;
    struct limit *limit = &order->limits[order->limit_count++];
    limit->resource = resources[i].resource;
    return number(colon + 1, 10, RLIM_INFINITY, &limit->value);
  }
  return false;
}

static bool take_end(struct order *order, char *value) {
  (void)order;
  return value[0] == '\0';
}

enum need { MANY, ONCE, REQUIRED, ENFORCED };

/* REQUIRED: exactly once. ENFORCED: exactly once with policy=enforce. */
static const struct record {
  const char *key;
  bool (*take)(struct order *, char *);
  enum need need;
} records[] = {
    {"version", take_version, REQUIRED},
    {"policy", take_policy, REQUIRED},
    {"best_effort", take_best_effort, ENFORCED},
    {"network", take_network, ENFORCED},
    {"cell", take_cell, ONCE},
    {"unix", take_unix, ONCE},
    {"link", take_link, MANY},
    {"tmp", take_tmp, ONCE},
    {"ro", take_ro, MANY},
    {"rox", take_rox, MANY},
    {"rw", take_rw, MANY},
    {"rwx", take_rwx, MANY},
    {"cwd", take_cwd, REQUIRED},
    {"door", take_door, ONCE},
    {"env", take_env, MANY},
    {"arg", take_arg, MANY},
    {"grace", take_grace, ONCE},
    {"umask", take_umask, ONCE},
    {"limit", take_limit, MANY},
    {"end", take_end, REQUIRED},
};
enum { RECORDS = sizeof records / sizeof *records };

static char wrong[256];
static size_t seen[RECORDS];

static const char *complain(const char *what, const char *key) {
  snprintf(wrong, sizeof wrong, "%s: %.100s", what, key);
  return wrong;
}

static const char *take(struct order *order, char *text) {
  char *equals = strchr(text, '=');
  if (!equals) return complain("record without a value", text);
  *equals = '\0';
  for (size_t i = 0; i < RECORDS; i++) {
    if (strcmp(records[i].key, text) != 0) continue;
    if (seen[i]++ && records[i].need != MANY) return complain("record given twice", text);
    return records[i].take(order, equals + 1) ? NULL : complain("bad value of record", text);
  }
  return complain("unknown record", text);
}

static const char *complete(const struct order *order, bool has_program) {
  for (size_t i = 0; i < RECORDS; i++) {
    bool needed = records[i].need == REQUIRED || (records[i].need == ENFORCED && order->enforce && !order->inside);
    if (needed && !seen[i]) return complain("missing record", records[i].key);
  }
  if (order->inside && order->grant_count) return "grants belong to the cell";
  return order->arg_count || !has_program ? NULL : complain("missing record", "arg");
}

static bool prepare(struct order *order, const char *bytes, size_t length) {
  size_t most = 1;
  for (size_t i = 0; i < length; i++) most += bytes[i] == '\0';
  order->grants = calloc(most, sizeof *order->grants);
  order->links = calloc(most, sizeof *order->links);
  order->env = calloc(most, sizeof *order->env);
  order->arg = calloc(most, sizeof *order->arg);
  order->grace_ms = 2000;
  order->umask = 022;
  return order->grants && order->links && order->env && order->arg;
}

const char *read_order(struct order *order) {
  size_t length = 0;
  char *bytes = read_all(&length);
  return bytes ? parse_order(order, bytes, length) : "could not be read, or longer than 8 MiB";
}

static const char *parse(struct order *order, char *bytes, size_t length, bool has_program) {
  if (length == 0 || bytes[length - 1] != '\0') return "cut short";
  memset(seen, 0, sizeof seen);
  if (!prepare(order, bytes, length)) return strerror(ENOMEM);
  for (char *at = bytes; at < bytes + length;) {
    char *next = at + strlen(at) + 1;
    const char *problem = take(order, at);
    if (problem) return problem;
    if (strcmp(at, "end") == 0 && next != bytes + length) return "record after the end";
    at = next;
  }
  return complete(order, has_program);
}

const char *parse_order(struct order *order, char *bytes, size_t length) { return parse(order, bytes, length, true); }
const char *parse_cell_order(struct order *order, char *bytes, size_t length) { return parse(order, bytes, length, false); }
