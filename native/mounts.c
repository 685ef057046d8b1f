/*
 * What is mounted below granted paths. A cell shows the mounts that were there when it was made: without one that has
 * come since, it shows the directory below it, and with one that has gone it keeps it alive.
 */
#include "helper.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct list before;

/* Blanks and the like are written as `\040`. */
static void unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from; to++) {
    unsigned code;
    if (sscanf(from, "\\%3o", &code) == 1) {
      *to = (char)code;
      from += 4;
    } else *to = *from++;
  }
  *to = '\0';
}

/* Fields 1, 3 and 5: number, device, place. */
static void look_at_mount(const struct order *order, const char *line, struct list *seen) {
  char number[24], device[24], place[4096];
  if (sscanf(line, "%23s %*s %23s %*s %4095s", number, device, place) != 3) return;
  unescape(place);
  if (view_owns(place)) return;
  for (size_t i = 0; i < order->grant_count; i++) {
    if (!is_below(place, order->grants[i].path)) continue;
    list_add(seen, number);
    list_add(seen, device);
    list_add(seen, place);
    return;
  }
}

static void look(const struct order *order, struct list *seen) {
  FILE *lines = fopen("/proc/self/mountinfo", "re");
  char *line = NULL;
  size_t capacity = 0;
  seen->length = 0;
  while (lines && getline(&line, &capacity, lines) >= 0) look_at_mount(order, line, seen);
  free(line);
  if (lines) fclose(lines);
}

int mounts_open(const struct order *order) {
  int table = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
  look(order, &before);
  return table;
}

bool mounts_are_same(const struct order *order) {
  static struct list now;
  look(order, &now);
  return list_equals(&before, &now);
}
