/* What the simulator says a recorded machine should have done. */
#include <string.h>

#include "app/compare_kernel.h"

enum { LOG_MAX = 200000, EVENTS_MAX = 20000000 };

static int64_t leading_number(struct str s, struct str *rest)
{
	struct str digits = s;
	int64_t n = 0;

	digits.len = 0;
	while (digits.len < s.len && s.ptr[digits.len] >= '0' && s.ptr[digits.len] <= '9')
		digits.len++;
	*rest = str_from(s, digits.len);
	return str_int(digits, &n) ? n : 0;
}

enum sim_profile kernel_profile(struct str release)
{
	struct str rest;
	int64_t major = leading_number(release, &rest);
	int64_t minor = leading_number(str_from(rest, 1), &rest), at = major * 1000 + minor;

	return at >= 7001   ? SIM_EEVDF71
	       : at >= 6017 ? SIM_EEVDF618
	       : at >= 6012 ? SIM_EEVDF612
	       : at >= 6006 ? SIM_EEVDF66
			    : SIM_CFS65;
}

/* RUN_NULL when the machine does not tell. */
static int64_t number(const struct run_facts *machine, const char *key)
{
	const struct run_fact *f = run_fact_get(machine, key);

	return f && !f->text.ptr ? f->num : RUN_NULL;
}

/* One more than the highest CPU that a task may use. */
static int cpus_used(const struct sim_scenario *sc)
{
	uint32_t used = 0;
	int n = 0;

	for (int i = 0; i < sc->n_tasks; i++)
		used |= sc->tasks[i].cpus;
	while (n < SIM_CPUS_MAX && used >> n)
		n++;
	return n ? n : 1;
}

struct sim_scenario kernel_scenario(const struct sim_scenario *sc, const struct run_facts *machine)
{
	struct sim_scenario s = *sc;
	const struct run_fact *release = run_fact_get(machine, "kernel_release"),
			      *groups = run_fact_get(machine, "rt_group_sched");
	int64_t hz = number(machine, "hz"), cpus = number(machine, "cpus_online");

	if (s.profile >= SIM_FIFO)
		return s;
	if (release && release->text.len)
		s.profile = kernel_profile(release->text);
	if (hz >= 100 && hz <= 1000 && 1000000000 % hz == 0)
		s.hz = (int32_t)hz;
	if (cpus >= cpus_used(sc))
		s.cpus = cpus < SIM_CPUS_MAX ? (int32_t)cpus : SIM_CPUS_MAX;
	/* From 6.12 on the fair server stands in for throttling, but with real-time groups both act. */
	if (groups && str_eq(groups->text, STR("yes")))
		s.rt_throttle = 1;
	return s;
}

static int task_of(int sim_task)
{
	return sim_task == SIM_NONE ? TRACE_IDLE : TRACE_FIRST + sim_task;
}

static char state_of(int reason)
{
	return reason == SIM_BLOCK || reason == SIM_BLOCK_DELAYED ? 'S' : reason == SIM_EXITED ? 'X' : 'R';
}

struct trace *kernel_trace_of(
	struct arena *a, const struct sim_scenario *sc, const struct sim_record *log, uint32_t n, int64_t duration_ns)
{
	struct trace *t = ARENA_NEW(a, struct trace, 1);

	*t = (struct trace){
		.clock = STR("simulated"), .duration_ns = duration_ns, .n_cpus = cpus_used(sc), .steal_ns = 0};
	t->n_tasks = TRACE_FIRST + sc->n_tasks;
	t->tasks = ARENA_NEW(a, struct str, t->n_tasks);
	t->tasks[TRACE_IDLE] = STR("idle");
	t->tasks[TRACE_OTHER] = STR("other");
	for (int i = 0; i < sc->n_tasks; i++)
		t->tasks[TRACE_FIRST + i] = str_copy(a, str_of(sc->tasks[i].name));
	t->events = ARENA_NEW(a, struct trace_event, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct sim_record *r = &log[i];
		bool turn = r->kind == SIM_SWITCH && r->from != r->to, wake = r->kind == SIM_WOKEN;
		if ((turn || wake) && r->cpu < t->n_cpus && r->t <= duration_ns)
			t->events[t->n++] = (struct trace_event){.t_ns = r->t,
				.cpu = r->cpu,
				.kind = wake ? TRACE_WAKE : TRACE_SWITCH,
				.task = task_of(wake ? r->to : r->from),
				.other = wake ? r->cpu : task_of(r->to),
				.state = wake ? '\0' : state_of(r->reason)};
	}
	return t;
}

struct kernel_prediction kernel_predict(struct arena *a, const struct sim_scenario *sc, int64_t duration_ns)
{
	struct kernel_prediction p = {.scenario = *sc};
	size_t bytes = sim_memory_bytes();
	struct sim_result result;

	p.scenario.horizon = duration_ns;
	p.scenario.events_max = p.scenario.events_max > EVENTS_MAX ? p.scenario.events_max : EVENTS_MAX;
	void *memory = arena_alloc(a, 1, 64, (ptrdiff_t)bytes);
	struct sim_record *log = ARENA_NEW(a, struct sim_record, LOG_MAX);
	sim_run(&p.scenario, memory, bytes, log, LOG_MAX, 0, &result);
	if (result.end != SIM_END_HORIZON) {
		p.error = result.end == SIM_END_DEFECT
				  ? str_printf(a, "the simulator contradicts itself (%s); please report this",
					    sim_defect_text(result.defect))
				  : STR("the scenario makes too many events; simulate a shorter time");
		return p;
	}
	p.trace = kernel_trace_of(a, &p.scenario, log, result.records, duration_ns);
	p.stats = trace_stats_of(a, p.trace);
	return p;
}
