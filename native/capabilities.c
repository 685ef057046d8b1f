#include "helper.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PR_CAP_AMBIENT
#define PR_CAP_AMBIENT 47
#define PR_CAP_AMBIENT_CLEAR_ALL 4
#endif

/*
 * What a root tool may keep: enough for package managers and file work. CAP_SYS_ADMIN and CAP_PERFMON
 * must go above all: each alone opens /proc/<server>/environ through Landlock's ptrace check.
 */
static const int kept_of_root[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID,
                                   CAP_KILL,  CAP_SETGID,       CAP_SETUID, CAP_NET_BIND_SERVICE};

static uint64_t kept(void) {
  uint64_t mask = 0;
  if (geteuid() != 0) return mask;
  for (size_t i = 0; i < sizeof kept_of_root / sizeof *kept_of_root; i++) mask |= 1ULL << kept_of_root[i];
  return mask;
}

static bool gone(int cap) { return prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 0; }

/*
 * EINVAL: the kernel knows no more of them. To ask costs a tenth of dropping, which pays where most have gone before: in
 * containers.
 */
static void drop_bounding(uint64_t keep) {
  bool narrowed = gone(CAP_SYS_ADMIN);
  for (int cap = 0; cap < 64; cap++) {
    if ((keep & (1ULL << cap)) || (narrowed && gone(cap)) || prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0) continue;
    if (errno == EINVAL || errno == EPERM) return;
    status_fail(EXIT_SETUP, "capabilities", "bounding set: %s", strerror(errno));
  }
}

void drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  uint64_t keep = kept();
  if (syscall(SYS_capget, &header, data) < 0) status_fail(EXIT_SETUP, "capabilities", "%s", strerror(errno));
  /* Without it the bounding set stays, and no_new_privs keeps it out of reach. */
  if (data[CAP_TO_INDEX(CAP_SETPCAP)].effective & CAP_TO_MASK(CAP_SETPCAP)) drop_bounding(keep);
  /* Absent on kernels that have no ambient set. */
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int word = 0; word < 2; word++) {
    data[word].permitted &= (uint32_t)(keep >> (32 * word));
    data[word].effective = data[word].permitted;
    data[word].inheritable = 0;
  }
  if (syscall(SYS_capset, &header, data) < 0) status_fail(EXIT_SETUP, "capabilities", "%s", strerror(errno));
}
