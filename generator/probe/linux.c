#include "probe/linux.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/futex.h, linux/memfd.h */
enum { FUTEX_OP_WAIT = 0, FUTEX_OP_WAKE = 1, FUTEX_PRIVATE = 128 };
#ifndef MFD_EXEC
#define MFD_EXEC 0x10U /* Linux 6.3 */
#endif

int linux_sched_set(pid_t tid, const struct linux_sched_attr *attr)
{
	struct linux_sched_attr copy = *attr;

	copy.size = sizeof copy;
	return (int)syscall(SYS_sched_setattr, tid, &copy, 0U);
}

int linux_sched_get(pid_t tid, struct linux_sched_attr *attr)
{
	*attr = (struct linux_sched_attr){.size = sizeof *attr};
	return (int)syscall(SYS_sched_getattr, tid, attr, (unsigned)sizeof *attr, 0U);
}

int linux_policy_set(pid_t pid, int policy, const struct sched_param *param)
{
	return (int)syscall(SYS_sched_setscheduler, pid, policy, param);
}

int linux_policy_get(pid_t pid)
{
	return (int)syscall(SYS_sched_getscheduler, pid);
}

int linux_util_clamp_max(int max)
{
	/* linux/sched.h: keep policy, keep parameters, set the upper clamp. The attributes' second version. */
	enum { KEEP_ALL = 0x18, UTIL_CLAMP_MAX = 0x40 };
	struct {
		struct linux_sched_attr first;
		uint32_t util_min, util_max;
	} attr = {.first = {.flags = KEEP_ALL | UTIL_CLAMP_MAX}, .util_max = (uint32_t)max};

	attr.first.size = sizeof attr;
	return (int)syscall(SYS_sched_setattr, 0, &attr, 0U);
}

pid_t linux_tid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

void linux_futex_wait(const _Atomic int *word, int value, bool within_process)
{
	syscall(SYS_futex, word, FUTEX_OP_WAIT | (within_process ? FUTEX_PRIVATE : 0), value, NULL, NULL, 0);
}

void linux_futex_wake(const _Atomic int *word, int most, bool within_process)
{
	syscall(SYS_futex, word, FUTEX_OP_WAKE | (within_process ? FUTEX_PRIVATE : 0), most, NULL, NULL, 0);
}

int linux_memfd_exec(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_EXEC);

	return fd < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC) : fd;
}
