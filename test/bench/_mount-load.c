/*
 * mount-load open FILE N: N times open, read and close; prints the median in microseconds.
 * mount-load bulk FILE SECONDS: reads the file over and over, 1 MiB a call; prints MB/s.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static ssize_t read_all(const char *path, char *buffer, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    perror(path);
    exit(1);
  }
  ssize_t got, sum = 0;
  while ((got = read(file, buffer, size)) > 0) {
    sum += got;
    if (got < (ssize_t)size) break;
  }
  if (got < 0 || close(file) < 0) {
    perror(path);
    exit(1);
  }
  return sum;
}

int main(int count, char **words) {
  static char buffer[1 << 20];
  if (count != 4) return 2;
  double amount = atof(words[3]);
  if (strcmp(words[1], "open") == 0) {
    size_t rounds = (size_t)amount;
    double *times = calloc(rounds, sizeof *times);
    if (!times) return 1;
    for (size_t i = 0; i < rounds; i++) {
      double start = now();
      if (read_all(words[2], buffer, 4096) <= 0) return 1;
      times[i] = now() - start;
    }
    qsort(times, rounds, sizeof *times, ascending);
    printf("%.2f\n", times[rounds / 2] * 1e6);
    return 0;
  }
  double start = now(), bytes = 0;
  while (now() - start < amount) bytes += (double)read_all(words[2], buffer, sizeof buffer);
  printf("%.1f\n", bytes / (now() - start) / 1e6);
  return 0;
}
