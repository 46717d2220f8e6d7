#include "probe/gaps.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "probe/crew.h"
#include "probe/meter.h"

static const int64_t least_ns = 5000, host_least_ns = 1000000;
enum { LEAST_READS = 20, STEAL_FIELD = 8 };

int64_t gap_least_ns(const struct probe_env *env)
{
	int64_t reads = env->clock_cost_ns * LEAST_READS;

	return reads > least_ns ? reads : least_ns;
}

/* Ticks of stolen time of a CPU; 0 where the kernel does not tell. */
static long stolen(int cpu)
{
	char line[512], name[24];
	FILE *f = fopen("/proc/stat", "re");
	long v = 0;

	if (!f)
		return 0;
	snprintf(name, sizeof name, "cpu%d ", cpu);
	while (fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0) {
			char *at = line + strlen(name);
			for (int i = 0; i < STEAL_FIELD; i++)
				v = strtol(at, &at, 10);
			break;
		}
	if (fclose(f) != 0)
		return 0;
	return v;
}

static enum gap_kind kind_of(int64_t length_ns, struct switches *seen, long *steal, int cpu)
{
	struct switches now = thread_switches();
	bool switched = now.involuntary != seen->involuntary;

	*seen = now;
	if (switched)
		return GAP_SWITCH;
	if (length_ns < host_least_ns)
		return GAP_OTHER;
	long was = *steal;
	*steal = stolen(cpu);
	return *steal > was ? GAP_HOST : GAP_OTHER;
}

void gaps_watch(struct gaps *g, const struct probe_env *env, int cpu, int64_t until_ns)
{
	int64_t least = gap_least_ns(env);
	long steal = stolen(cpu);
	struct switches seen = thread_switches();

	g->n = 0;
	int64_t last = g->began_ns = clock_ns();
	while (last < until_ns) {
		int64_t now = clock_ns();
		if (now - last <= least) {
			last = now;
			continue;
		}
		enum gap_kind kind = kind_of(now - last, &seen, &steal, cpu);
		if (g->n < GAPS_MAX)
			g->items[g->n++] = (struct gap){last, now, kind};
		last = clock_ns();
	}
	g->ended_ns = last;
}

int gaps_turns(const struct gaps *g, void (*turn)(void *ctx, int i, int64_t from_ns, int64_t to_ns), void *ctx)
{
	int64_t from = 0;
	int n = 0;

	for (int i = 0; i < g->n; i++) {
		if (g->items[i].kind != GAP_SWITCH)
			continue;
		if (from)
			turn(ctx, n++, from, g->items[i].from_ns);
		from = g->items[i].to_ns;
	}
	return n;
}

int64_t gaps_total_ns(const struct gaps *g, enum gap_kind kind, int *count)
{
	int64_t sum = 0;

	*count = 0;
	for (int i = 0; i < g->n; i++)
		if (g->items[i].kind == kind) {
			sum += g->items[i].to_ns - g->items[i].from_ns;
			++*count;
		}
	return sum;
}

int64_t gaps_median_ns(const struct gaps *g, enum gap_kind kind)
{
	static _Thread_local int64_t lengths[GAPS_MAX];
	int n = 0;

	for (int i = 0; i < g->n; i++)
		if (g->items[i].kind == kind)
			lengths[n++] = g->items[i].to_ns - g->items[i].from_ns;
	return values_quantile(lengths, n, 500);
}
