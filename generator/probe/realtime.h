/* What the probes of real-time classes share: why a policy was refused, when a spinner above all others is safe, and
 * the watchdog that ends one. */
#ifndef RUNQ_PROBE_REALTIME_H
#define RUNQ_PROBE_REALTIME_H

#include "probe/hogs.h"

bool kernel_at_least(int major, int minor);
/* Ends the case as skipped and names the cause: privilege, real-time groups, the affinity of a reservation, seccomp, in
 * this order. `g`: the group it was tried in, or NULL for our own. */
void realtime_refused(struct probe_step *s, const char *call, int policy, int err, const struct groups *g);
/* May something spin above the fair class for longer than a moment? False: told in the step. */
bool realtime_safe(struct probe_step *s);
/* The CPU to spin on: not the one this process watches from. */
int realtime_cpu(const struct probe_env *env);
int64_t realtime_period_ns(void); /* of real-time bandwidth */
int64_t realtime_ppm(void); /* that bandwidth; 1,000,000 where it has no limit */
/* A FIFO 99 process on our CPU that kills the hogs shortly after they should have ended. Its pid, or -1 with errno. */
pid_t watchdog_start(const struct probe_env *env, const struct hogs *h, struct guard *guard);
/* The same for any processes, until `until_ns` by the clock. */
pid_t watchdog_over(const struct probe_env *env, int64_t until_ns, const pid_t *pids, int n, struct guard *guard);
void watchdog_stop(pid_t pid);

#endif
