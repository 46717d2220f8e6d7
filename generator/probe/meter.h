/* What a thread has used so far, by the kernel's own counters. */
#ifndef RUNQ_PROBE_METER_H
#define RUNQ_PROBE_METER_H

#include <stdint.h>

struct meter {
	int64_t wall_ns; /* CLOCK_MONOTONIC */
	int64_t cpu_ns; /* CLOCK_THREAD_CPUTIME_ID */
	int64_t user_ns, sys_ns; /* as getrusage splits them */
	int64_t wait_ns; /* runnable but not running, by schedstat; RUN_NULL where the kernel does not tell */
	int64_t voluntary, involuntary; /* switches */
};
struct meter meter_now(void); /* of the calling thread */
struct meter meter_since(struct meter from);
void meter_add(struct meter *sum, const struct meter *m); /* all fields */

struct switches {
	int64_t voluntary, involuntary;
};
struct switches thread_switches(void); /* of the calling thread, so far */

int64_t cpu_clock_ns(int clock); /* a clock of clock_gettime */
/* `part` of `whole` in ppm; RUN_NULL where part is or whole is not above 0. */
int64_t ppm_of(int64_t part, int64_t whole);
/* `count` in `wall_ns`, as thousandths a second. */
int64_t milli_per_second(int64_t count, int64_t wall_ns);

#endif
