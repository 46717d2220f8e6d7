/* Lists of facts; the load around a table. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "probe/harness.h"
#include "probe/sys.h"

/* The order of a CPU's line in /proc/stat. */
enum { STAT_USER, STAT_NICE, STAT_SYSTEM, STAT_IDLE, STAT_IOWAIT, STAT_IRQ, STAT_SOFTIRQ, STAT_STEAL };
enum { USER_HZ_NS = 10000000 };

static struct run_fact *fact_add(struct run_facts *f, struct arena *a, const char *key)
{
	/* Lists are short and built once: each doubling copies. */
	if ((f->n & (f->n - 1)) == 0) {
		struct run_fact *more = ARENA_NEW(a, struct run_fact, f->n ? f->n * 2 : 1);
		if (f->n)
			memcpy(more, f->items, (size_t)f->n * sizeof *more);
		f->items = more;
	}
	f->items[f->n] = (struct run_fact){.key = str_of(key)};
	return &f->items[f->n++];
}

void fact_text(struct run_facts *f, struct arena *a, const char *key, struct str text)
{
	struct run_fact *item = fact_add(f, a, key);

	item->text = text.len ? str_copy(a, text) : (struct str){0};
	item->num = text.len ? 0 : RUN_NULL;
}

void fact_num(struct run_facts *f, struct arena *a, const char *key, int64_t num)
{
	fact_add(f, a, key)->num = num;
}

/* "0.52" -> 520 */
static int64_t load_milli(struct str word)
{
	struct str fraction;
	int64_t whole = sys_number(str_cut(word, '.', &fraction)), cents = sys_number(fraction);

	return whole == RUN_NULL || cents == RUN_NULL ? RUN_NULL : whole * 1000 + cents * 10;
}

/* One of the two CPUs that probes pin to; 0 or 1. RUN_NULL: there is none, or it cannot be read. */
static int64_t stat_ns(struct str stat, const struct probe_env *env, int which, int word)
{
	int cpu = which ? env->other : env->cpu;
	char key[32];

	if (cpu < 0)
		return RUN_NULL;
	snprintf(key, sizeof key, "cpu%d", cpu);
	int64_t ticks = sys_number(sys_word(sys_field(stat, key), word));
	return ticks == RUN_NULL ? RUN_NULL : ticks * USER_HZ_NS;
}

/* Of the CPU that lost most: an average would hide it. */
static int64_t steal_ns(struct str stat, const struct probe_env *env)
{
	int64_t a = stat_ns(stat, env, 0, STAT_STEAL), b = stat_ns(stat, env, 1, STAT_STEAL);

	return a > b ? a : b;
}

/* What both did together, whoever it was for. */
static int64_t busy_ns(struct str stat, const struct probe_env *env)
{
	static const int words[] = {STAT_USER, STAT_NICE, STAT_SYSTEM, STAT_IRQ, STAT_SOFTIRQ};
	int64_t sum = 0;

	for (int which = 0; which < 1 + (env->other >= 0); which++)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			int64_t ns = stat_ns(stat, env, which, words[i]);
			if (ns == RUN_NULL)
				return RUN_NULL;
			sum += ns;
		}
	return sum;
}

/* Of the processes we have collected. */
static int64_t own_cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return ((u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000) + u.ru_utime.tv_usec + u.ru_stime.tv_usec) *
	       1000;
}

struct run_facts facts_load(struct arena *a, const struct probe_env *env, int64_t run_delay_ns)
{
	struct run_facts f = {0};
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	struct str load = sys_text(&scratch, "/proc/loadavg"), stat = sys_text(&scratch, "/proc/stat");
	struct str psi = sys_field(sys_text(&scratch, "/proc/pressure/cpu"), "some");
	ptrdiff_t total = str_find(psi, STR("total="));
	int64_t delay = sys_schedstat(0, 1);

	fact_num(&f, a, "loadavg_milli", load_milli(sys_word(load, 0)));
	fact_num(&f, a, "loadavg5_milli", load_milli(sys_word(load, 1)));
	fact_num(&f, a, "loadavg15_milli", load_milli(sys_word(load, 2)));
	fact_num(&f, a, "procs_running", sys_number(sys_field(stat, "procs_running")));
	fact_num(&f, a, "ctxt", sys_number(sys_field(stat, "ctxt")));
	fact_num(&f, a, "steal_ns", steal_ns(stat, env));
	fact_num(&f, a, "cpu_busy_ns", busy_ns(stat, env));
	fact_num(&f, a, "own_cpu_ns", own_cpu_ns());
	fact_num(&f, a, "run_delay_ns", delay == RUN_NULL ? RUN_NULL : delay + run_delay_ns);
	if (total >= 0)
		fact_num(&f, a, "psi_some_us", sys_number(str_from(psi, total + 6)));
	fact_num(&f, a, "clock_cost_ns", env->clock_cost_ns);
	fact_text(&f, a, "order", STR("as listed in even passes, reversed in odd ones"));
	arena_free(&block);
	return f;
}
