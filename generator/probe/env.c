/* Clocks, CPUs and the unit of work. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "probe/harness.h"
#include "probe/linux.h"
#include "probe/sys.h"

enum { CLOCK_READS = 1000, SPIN_ROUNDS = 25000 };
/* Kernels before 6.12 do not tell their slice; 3 ms is the default of a CPU with eight or more hardware threads. */
static const int64_t slice_guess_ns = 3000000;

int64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void clock_sleep(int64_t ns)
{
	int64_t end = clock_ns() + ns;
	struct timespec t = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		continue;
}

uint64_t spin_work(uint64_t rounds)
{
	uint64_t x = rounds;

	/* A linear congruential chain: each step needs the one before. The empty asm keeps the compiler from folding it. */
	for (uint64_t i = 0; i < rounds; i++) {
		x = x * 6364136223846793005U + 1442695040888963407U;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

int64_t spin_unit_ns(int64_t for_ns)
{
	int64_t best = INT64_MAX, start = clock_ns(), now = start;

	do {
		int64_t from = now;
		spin_work(SPIN_ROUNDS);
		now = clock_ns();
		best = now - from < best ? now - from : best;
	} while (now - start < for_ns);
	return best;
}

static int64_t clock_cost(void)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < 5; i++) {
		int64_t start = clock_ns();
		for (int k = 0; k < CLOCK_READS; k++)
			clock_ns();
		int64_t took = clock_ns() - start;
		best = took < best ? took : best;
	}
	return best / CLOCK_READS;
}

static bool affinity_is(const cpu_set_t *want)
{
	cpu_set_t got;

	return sched_getaffinity(0, sizeof got, &got) == 0 && CPU_EQUAL(&got, want);
}

bool env_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof set, &set) == 0 && affinity_is(&set);
}

bool env_unpin(const struct probe_env *env)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < env->n_cpus; i++)
		CPU_SET((size_t)env->cpus[i], &set);
	return sched_setaffinity(0, sizeof set, &set) == 0 && affinity_is(&set);
}

/* Is `cpu` in a kernel list such as "0-1,4"? */
static bool in_list(struct str list, int cpu)
{
	while (list.len) {
		struct str to, part = str_cut(list, ',', &list);
		int64_t lo = sys_number(str_cut(part, '-', &to));
		int64_t hi = to.ptr ? sys_number(to) : lo;
		if (cpu >= lo && cpu <= hi)
			return true;
	}
	return false;
}

/* A partner on another core, else on the sibling thread. */
static void choose_cpus(struct probe_env *env)
{
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	char path[96];

	env->cpu = env->cpus[0];
	env->other = -1;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", env->cpu);
	struct str siblings = sys_text(&scratch, path);
	for (int i = 1; i < env->n_cpus && env->other < 0; i++)
		if (!in_list(siblings, env->cpus[i]))
			env->other = env->cpus[i];
	if (env->other < 0 && env->n_cpus > 1) {
		env->other = env->cpus[1];
		env->other_is_sibling = true;
	}
	arena_free(&block);
}

/* The slice a fresh task of the fair class has, by sched_getattr; kernels before 6.12 leave it 0. */
static int64_t base_slice_ns(void)
{
	struct linux_sched_attr attr;

	if (linux_sched_get(0, &attr) != 0 || !attr.runtime_ns || attr.runtime_ns > 100000000)
		return slice_guess_ns;
	return (int64_t)attr.runtime_ns;
}

void env_read(struct probe_env *env, bool quick, int passes)
{
	cpu_set_t set;
	struct timespec tick;

	*env = (struct probe_env){.quick = quick, .passes = passes};
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		CPU_SET(0, &set);
	for (int i = 0; i < CPU_SETSIZE && env->n_cpus < PROBE_CPUS_MAX; i++)
		if (CPU_ISSET((size_t)i, &set))
			env->cpus[env->n_cpus++] = i;
	choose_cpus(env);
	/* The coarse clock advances once a tick: its resolution is 1 / HZ. */
	env->tick_ns = clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 ? tick.tv_nsec : 4000000;
	int64_t slice = base_slice_ns();
	env->quantum_ns = slice > env->tick_ns ? slice : env->tick_ns;
	env->clock_cost_ns = clock_cost();
}
