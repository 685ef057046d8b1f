/*
 * A program of the kernel's packet filter, as seccomp takes it. It is written from its last instruction to its first:
 * jumps only lead forward, so the target of each is there already.
 */
#ifndef OLLIE_FILTER_H
#define OLLIE_FILTER_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction that has been written. */
typedef unsigned short target;

/* The end of the filter, with a value of SECCOMP_RET_. */
target filter_give(uint32_t action);
/* Loads the 32 bits at `offset` of struct seccomp_data. The other functions look at what was loaded last. */
target filter_load(size_t offset, target next);
target filter_mask(uint32_t bits, target next);
/* `test` is BPF_JEQ, BPF_JGE or BPF_JSET. */
target filter_test(unsigned short test, uint32_t value, target yes, target no);
target filter_any(const unsigned *values, size_t count, target yes, target no);

/* The values from `first` to below the next span's. */
struct span {
  uint32_t first;
  target then;
};
/* `spans` ascend and begin with 0. Takes log2(count) tests, rounded up. */
target filter_search(const struct span *spans, size_t count);

/* Begins with the instruction that was written last. */
struct sock_fprog filter_program(void);

#endif
