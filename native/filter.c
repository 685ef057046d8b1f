#include "filter.h"

#include "helper.h"

/* A conditional jump skips at most 255 instructions. One may still come between: the long jump to its other target. */
enum { CAPACITY = 1024, SHORT_JUMP = 254 };

/* Filled from the end. */
static struct sock_filter program[CAPACITY];
static target first = CAPACITY;

static unsigned distance(target to) { return to - first; }

static target put(unsigned short code, uint32_t value, unsigned yes, unsigned no) {
  if (first == 0) status_fail(EXIT_SETUP, "seccomp", "filter too long");
  program[--first] = (struct sock_filter)BPF_JUMP(code, value, (unsigned char)yes, (unsigned char)no);
  return first;
}

static target jump(target to) { return put(BPF_JMP | BPF_JA, distance(to), 0, 0); }

static target within_reach(target to) { return distance(to) > SHORT_JUMP ? jump(to) : to; }

/* Instructions that do not jump are followed by their successor. */
static void follow(target next) {
  if (next != first) jump(next);
}

target filter_give(uint32_t action) { return put(BPF_RET | BPF_K, action, 0, 0); }

target filter_load(size_t offset, target next) {
  follow(next);
  return put(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

target filter_mask(uint32_t bits, target next) {
  follow(next);
  return put(BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
}

target filter_test(unsigned short test, uint32_t value, target yes, target no) {
  target near_yes = within_reach(yes), near_no = within_reach(no);
  return put(BPF_JMP | BPF_K | test, value, distance(near_yes), distance(near_no));
}

target filter_any(const unsigned *values, size_t count, target yes, target no) {
  for (size_t i = 0; i < count; i++) no = filter_test(BPF_JEQ, values[i], yes, no);
  return no;
}

target filter_search(const struct span *spans, size_t count) {
  if (count == 1) return spans->then;
  size_t half = count / 2;
  target above = filter_search(spans + half, count - half);
  target below = filter_search(spans, half);
  return filter_test(BPF_JGE, spans[half].first, above, below);
}

struct sock_fprog filter_program(void) { return (struct sock_fprog){CAPACITY - first, program + first}; }
