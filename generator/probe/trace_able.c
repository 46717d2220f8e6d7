/* What a scenario asks for and a kernel, or this user's rights, cannot give: told before anything is changed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/realtime.h"
#include "probe/sys.h"
#include "probe/trace_stage.h"

bool trace_real_time(const struct sim_scenario *sc)
{
	for (int i = 0; i < sc->n_tasks; i++)
		if (sc->tasks[i].policy == SIM_TASK_FIFO || sc->tasks[i].policy == SIM_TASK_RR)
			return true;
	return false;
}

static bool refuse(struct probe_step *s, const char *remedy, const char *cause)
{
	step_status(s, RUN_SKIPPED, remedy, "%s", cause);
	return false;
}

/* The scenario's CPUs, from the last we may use down: the first has most of the interrupts, and whoever watches real-time
 * tasks stays on it. */
static bool choose_cpus(struct probe_step *s, struct trace_stage *st)
{
	const struct sim_scenario *sc = st->scenario;
	const struct probe_env *env = st->env;
	uint32_t used = 0;

	for (int i = 0; i < sc->n_tasks; i++)
		used |= sc->tasks[i].cpus;
	for (st->n_cpus = 0; st->n_cpus < SIM_CPUS_MAX && used >> st->n_cpus; st->n_cpus++)
		continue;
	if (st->n_cpus > env->n_cpus) {
		step_status(s, RUN_SKIPPED, "pin its tasks to fewer CPUs",
			"the scenario uses %d CPUs, and %d %s allowed here", st->n_cpus, env->n_cpus,
			env->n_cpus == 1 ? "is" : "are");
		return false;
	}
	int n = 0;
	if (env->other >= 0)
		st->cpus[n++] = env->other;
	for (int i = env->n_cpus - 1; i >= 0 && n < st->n_cpus; i--)
		if (env->cpus[i] != env->cpu && env->cpus[i] != env->other)
			st->cpus[n++] = env->cpus[i];
	if (n < st->n_cpus)
		st->cpus[n] = env->cpu;
	return true;
}

/* Groups are control groups side by side; sessions are autogroups. */
static bool groups_able(struct probe_step *s, const struct sim_scenario *sc)
{
	bool autogroups = sys_int("/proc/sys/kernel/sched_autogroup_enabled") == 1, grouped = false, loose = false,
	     session = false;

	for (int i = 0; i < sc->n_groups; i++) {
		session |= sc->groups[i].session;
		if (sc->groups[i].parent != SIM_NONE)
			return refuse(s, "record it with groups side by side", "groups within groups are not recorded");
	}
	if (sc->n_groups > GROUPS_MAX)
		return refuse(s, "record it with four groups", "more than four groups are not recorded");
	for (int i = 0; i < sc->n_tasks; i++) {
		bool fair = sc->tasks[i].policy <= SIM_IDLE;
		grouped |= sc->tasks[i].group != SIM_NONE;
		loose |= sc->tasks[i].group == SIM_NONE && fair;
	}
	if (session && !autogroups)
		return refuse(s, "sysctl kernel.sched_autogroup_enabled=1",
			"the scenario has sessions, and autogroup is off");
	if (autogroups && grouped && loose)
		return refuse(s,
			"give these tasks a session in the scenario, or sysctl kernel.sched_autogroup_enabled=0",
			"some tasks are in no group, but autogroup is on: the kernel would put them into one");
	return true;
}

static bool deadline_able(struct probe_step *s, const struct trace_stage *st)
{
	const struct sim_scenario *sc = st->scenario;

	for (int i = 0; i < sc->n_tasks; i++) {
		if (sc->tasks[i].policy != SIM_DEADLINE)
			continue;
		if (st->n_cpus != st->env->n_cpus || sc->tasks[i].cpus != (UINT32_C(1) << st->n_cpus) - 1) {
			step_status(s, RUN_SKIPPED,
				"give the scenario as many CPUs as are allowed here, and pin no deadline task",
				"a reservation counts on every CPU (%d here), and %s may not use them all",
				st->env->n_cpus, sc->tasks[i].name);
			return false;
		}
		if (sc->tasks[i].group != SIM_NONE)
			return refuse(s, "take it out of the group", "a deadline task in a group is not recorded");
	}
	return true;
}

static bool real_time_able(struct probe_step *s, const struct trace_stage *st)
{
	const struct sim_scenario *sc = st->scenario;

	if (!trace_real_time(sc))
		return true;
	if (!realtime_safe(s))
		return false;
	for (int i = 0; i < sc->n_tasks; i++) {
		bool rt = sc->tasks[i].policy == SIM_TASK_FIFO || sc->tasks[i].policy == SIM_TASK_RR;
		if (rt && sc->tasks[i].group != SIM_NONE)
			return refuse(s, "take it out of the group", "a real-time task in a group is not recorded");
		for (int c = 0; rt && c < st->n_cpus; c++)
			if ((sc->tasks[i].cpus >> c & 1) && st->cpus[c] == st->env->cpu)
				return refuse(s, "pin it to fewer CPUs, or record it on a machine with more",
					"real-time tasks could take every CPU: nothing could stop them");
	}
	return true;
}

bool trace_able(struct probe_step *s, struct trace_stage *st, int64_t duration_ns)
{
	const struct sim_scenario *sc = st->scenario;

	if (sc->profile >= SIM_FIFO && sc->profile != SIM_PROFILES)
		return refuse(s, "give it the profile of a kernel",
			"the scenario's policy is a textbook's: no kernel has it");
	if (duration_ns > INT64_C(60000000000))
		return refuse(s, "record a part with --seconds 60", "it lasts longer than a minute");
	for (int i = 0; i < sc->n_tasks; i++)
		if (sc->tasks[i].slice && !kernel_at_least(6, 12))
			return refuse(s, "leave the slices out, or use Linux 6.12",
				"tasks have no slices of their own before Linux 6.12");
	return choose_cpus(s, st) && groups_able(s, sc) && deadline_able(s, st) && real_time_able(s, st);
}
