/* ticks: how often the timer interrupts a CPU that idles, that runs one spinner, or that two spinners share. A tickless
 * kernel saves the tick of an idle CPU, hardly ever that of a busy one. Counted by /proc/interrupts. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "probe/load.h"
#include "probe/meter.h"
#include "probe/sys.h"

enum { ARG_SPINNERS };
enum { NAME_MAX_BYTES = 32 };
static const int64_t quick_ns = 100000000, full_ns = 440000000, warm_up_ns = 10000000;

/* The number in that column of a row, columns counted from 0 after the row's name; RUN_NULL when there are fewer. */
static int64_t column_value(const char *row, int column)
{
	char *end;
	long long v = 0;

	for (const char *at = row; column >= 0; column--, at = end) {
		v = strtoll(at, &end, 10);
		if (end == at)
			return RUN_NULL;
	}
	return v;
}

/* Where "CPU<cpu>" stands in the head line: CPUs that are off have no column. -1: nowhere. */
static int column_of(char *head, int cpu)
{
	char name[NAME_MAX_BYTES], *save = NULL;
	int column = 0;

	snprintf(name, sizeof name, "CPU%d", cpu);
	for (char *word = strtok_r(head, " \n", &save); word; word = strtok_r(NULL, " \n", &save), column++)
		if (strcmp(word, name) == 0)
			return column;
	return -1;
}

/* Local timer interrupts of a CPU since the start: "LOC" on x86, the row of the architected timer on Arm. */
static int64_t timer_interrupts(int cpu)
{
	FILE *f = fopen("/proc/interrupts", "re");
	char *line = NULL;
	size_t cap = 0;
	int64_t sum = RUN_NULL;

	if (!f)
		return RUN_NULL;
	int column = getline(&line, &cap, f) > 0 ? column_of(line, cpu) : -1;
	while (column >= 0 && getline(&line, &cap, f) > 0) {
		char *colon = strchr(line, ':');
		if (!colon || (!strstr(line, "LOC:") && !strstr(line, "arch_timer")))
			continue;
		int64_t v = column_value(colon + 1, column);
		if (v != RUN_NULL)
			sum = (sum == RUN_NULL ? 0 : sum) + v;
	}
	free(line);
	if (fclose(f) != 0)
		return RUN_NULL;
	return sum;
}

/* Which tick the kernel was built to stop. Its configuration, where it lies open to everybody, and the CPUs that were named
 * at boot; the rates tell the same where nothing does. */
static void tell_config(struct probe_step *s)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct utsname u;
	struct str config =
		uname(&u) == 0 ? sys_text(&a, str_z(&a, str_printf(&a, "/boot/config-%s", u.release))) : STR("");
	bool full = access("/sys/devices/system/cpu/nohz_full", F_OK) == 0;
	struct str cpus = full ? sys_text(&a, "/sys/devices/system/cpu/nohz_full") : STR("");

	if (config.len) {
		step_param(s, "config_no_hz_idle", str_find(config, STR("\nCONFIG_NO_HZ_IDLE=y")) >= 0);
		step_param(s, "config_no_hz_full", str_find(config, STR("\nCONFIG_NO_HZ_FULL=y")) >= 0);
	} else if (full) {
		step_param(s, "config_no_hz_full", 1);
	}
	/* "(null)" where the kernel could and was not told to. */
	step_param(s, "nohz_full", cpus.len && cpus.ptr[0] >= '0' && cpus.ptr[0] <= '9');
	arena_free(&block);
}

static void watch(struct probe_step *s, int64_t window)
{
	int64_t from = timer_interrupts(s->env->cpu), began = clock_ns();

	if (from == RUN_NULL) {
		step_status(s, RUN_SKIPPED, "measure on a kernel of your own",
			"/proc/interrupts tells no timer interrupts of CPU %d", s->env->cpu);
		return;
	}
	clock_sleep(window);
	int64_t wall = clock_ns() - began, ticks = timer_interrupts(s->env->cpu) - from;
	int64_t hz = 1000000000 / s->env->tick_ns;

	step_value(s, "rate", milli_per_second(ticks, wall));
	step_value(s, "of-hz", ppm_of(ticks, wall / s->env->tick_ns));
	step_value(s, "hz", hz);
	step_param(s, "window_ms", wall / 1000000);
	tell_config(s);
}

static void ticks_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	struct rivals spinners;

	/* The observer elsewhere, so that the CPU may idle while he sleeps. */
	if (s->env->other >= 0 && !env_pin(s->env->other)) {
		step_status(s, RUN_FAILED, "allow it the CPU", "cannot be pinned to its CPU: %s", strerror(errno));
		return;
	}
	if (rivals_start(s, &spinners, c->arg[ARG_SPINNERS], s->env->cpu, LOAD_SPIN))
		watch(s, window);
	rivals_stop(&spinners);
}

static const struct probe_case cases[] = {
	{"idle", {0}},
	{"lone", {1}},
	{"shared", {2}},
	{0},
};

const struct probe_ops ticks_ops = {
	.name = "ticks",
	.twin = "lone",
	.limit_ms = 15000,
	.cases = cases,
	.run = ticks_run,
};
