#include "probe/meter.h"

#include <sys/resource.h>
#include <time.h>

#include "probe/harness.h"
#include "probe/linux.h"
#include "probe/sys.h"

static int64_t timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_usec * 1000;
}

int64_t cpu_clock_ns(int clock)
{
	struct timespec t = {0};

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct switches thread_switches(void)
{
	struct rusage u = {0};

	getrusage(RUSAGE_THREAD, &u);
	return (struct switches){u.ru_nvcsw, u.ru_nivcsw};
}

struct meter meter_now(void)
{
	struct rusage u = {0};

	getrusage(RUSAGE_THREAD, &u);
	/* The wait first and the clocks last: reading a file takes the longest. */
	int64_t wait = sys_schedstat(linux_tid(), 1);
	return (struct meter){.wait_ns = wait,
		.user_ns = timeval_ns(u.ru_utime),
		.sys_ns = timeval_ns(u.ru_stime),
		.voluntary = u.ru_nvcsw,
		.involuntary = u.ru_nivcsw,
		.cpu_ns = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID),
		.wall_ns = clock_ns()};
}

struct meter meter_since(struct meter from)
{
	struct meter now = meter_now();

	return (struct meter){.wall_ns = now.wall_ns - from.wall_ns,
		.cpu_ns = now.cpu_ns - from.cpu_ns,
		.user_ns = now.user_ns - from.user_ns,
		.sys_ns = now.sys_ns - from.sys_ns,
		.wait_ns = now.wait_ns == RUN_NULL || from.wait_ns == RUN_NULL ? RUN_NULL : now.wait_ns - from.wait_ns,
		.voluntary = now.voluntary - from.voluntary,
		.involuntary = now.involuntary - from.involuntary};
}

void meter_add(struct meter *sum, const struct meter *m)
{
	sum->wall_ns += m->wall_ns;
	sum->cpu_ns += m->cpu_ns;
	sum->user_ns += m->user_ns;
	sum->sys_ns += m->sys_ns;
	sum->wait_ns = sum->wait_ns == RUN_NULL || m->wait_ns == RUN_NULL ? RUN_NULL : sum->wait_ns + m->wait_ns;
	sum->voluntary += m->voluntary;
	sum->involuntary += m->involuntary;
}

int64_t ppm_of(int64_t part, int64_t whole)
{
	return part == RUN_NULL || whole <= 0 ? RUN_NULL : (int64_t)((double)part / (double)whole * 1e6 + 0.5);
}

int64_t milli_per_second(int64_t count, int64_t wall_ns)
{
	return wall_ns <= 0 ? RUN_NULL : (int64_t)((double)count * 1e12 / (double)wall_ns + 0.5);
}
