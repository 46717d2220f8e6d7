/* Calls and constants that Linux has and C libraries do not, or not all, declare; files of /proc and /sys are sys.h's.
 * A port to another system starts with these two. No header of the kernel is needed: musl is often installed without. */
#ifndef RUNQ_PROBE_LINUX_H
#define RUNQ_PROBE_LINUX_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef SCHED_BATCH
#define SCHED_BATCH 3
#endif
#ifndef SCHED_IDLE
#define SCHED_IDLE 5
#endif
#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif
#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

/* As sched_setattr(2) has it, first version, 48 bytes: every kernel since 3.14 takes it. Times in ns. */
struct linux_sched_attr {
	uint32_t size, policy; /* size is filled in by linux_sched_set */
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns; /* the fair class, from 6.12: runtime is the slice */
};

/* tid 0: the calling thread. 0, or -1 with errno. What was set must be read back: kernels before 6.12 take a slice and
 * ignore it. */
int linux_sched_set(pid_t tid, const struct linux_sched_attr *attr);
int linux_sched_get(pid_t tid, struct linux_sched_attr *attr);

/* Asks for at most this much of a CPU's capacity (1024 is the biggest CPU's, -1 the default) for the calling thread's
 * choice of CPU and clock rate. 0, or -1 with errno: EOPNOTSUPP without CONFIG_UCLAMP_TASK. */
int linux_util_clamp_max(int max);

/* sched_setscheduler and sched_getscheduler as the kernel has them, which musl refuses (ENOSYS): POSIX means processes by
 * them, Linux threads. pid 0: the calling thread. -1 leaves errno. */
int linux_policy_set(pid_t pid, int policy, const struct sched_param *param);
int linux_policy_get(pid_t pid);

pid_t linux_tid(void);

/* Sleeps while *word is `value`; may return early. One of a shared mapping unless `within_process`. */
void linux_futex_wait(const _Atomic int *word, int value, bool within_process);
void linux_futex_wake(const _Atomic int *word, int most, bool within_process);

/* A file without a name that may be executed; -1 with errno. */
int linux_memfd_exec(const char *name);

#endif
