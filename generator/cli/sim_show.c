#include "cli/sim_show.h"

#include "text/json.h"

enum { LANE_CELLS = 64 };
static const ptrdiff_t canonical_max = (ptrdiff_t)4 * SIM_TEXT_BYTES_MAX; /* times grow when written in ns */

const char *sim_show_stop(const struct sim_result *result)
{
	switch (result->end) {
	case SIM_END_EVENTS: return "more events than allowed; raise --events, or simulate a shorter time";
	case SIM_END_LOG: return "the log is full; simulate a shorter time";
	case SIM_END_DEFECT: return sim_defect_text(result->defect);
	case SIM_END_MEMORY: return "too little memory for the engine";
	case SIM_END_SCENARIO: return "no scenario that the reader makes";
	default: return NULL;
	}
}

static const char *name_of(const struct sim_shown *s, int task)
{
	return task == SIM_NONE ? "idle" : s->scenario->tasks[task].name;
}

static const char *group_of(const struct sim_shown *s, int group)
{
	return group == SIM_NONE ? "" : s->scenario->groups[group].name;
}

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

/* Of each cell of the time, how much the task ran; then the cells as characters. */
static void show_lane(struct buf *out, const struct sim_shown *s, int task)
{
	int64_t ran[LANE_CELLS] = {0}, cell = s->result->t / LANE_CELLS + 1, since[SIM_CPUS_MAX];

	for (int c = 0; c < SIM_CPUS_MAX; c++)
		since[c] = -1;
	for (uint32_t i = 0; i <= s->result->records; i++) {
		bool last = i == s->result->records;
		for (int c = 0; c < s->scenario->cpus; c++) {
			bool leaves = last || (s->log[i].kind == SIM_SWITCH && s->log[i].cpu == c);
			int64_t to = last ? s->result->t : s->log[i].t;
			if (!leaves)
				continue;
			for (int64_t at = since[c]; at >= 0 && at < to;) {
				int64_t end = (at / cell + 1) * cell < to ? (at / cell + 1) * cell : to;
				ran[at / cell] += end - at;
				at = end;
			}
			since[c] = !last && s->log[i].to == task ? to : -1;
		}
	}
	buf_printf(out, "  %-15s |", s->scenario->tasks[task].name);
	for (int i = 0; i < LANE_CELLS; i++)
		buf_char(out, ran[i] == 0 ? ' ' : ran[i] * 4 < cell ? '.' : ran[i] * 4 < cell * 3 ? '+' : '#');
	buf_printf(out, "|\n");
}

static void show_figures(struct buf *out, const struct sim_shown *s)
{
	buf_printf(out, "\n  %-15s %11s %8s %7s %24s %7s %26s\n", "task", "CPU ms", "share", "runs",
		"run ms median (min-max)", "wakes", "wait ms mean, median, p90");
	for (int i = 0; i < s->scenario->n_tasks; i++) {
		const struct sim_figures *f = &s->figures[i];
		char run[64], wait[64];
		snprintf(run, sizeof run, "%.3f (%.3f-%.3f)", ms(f->run_median), ms(f->run_min), ms(f->run_max));
		snprintf(wait, sizeof wait, "%.3f %.3f %.3f", f->wakes ? ms(f->wait_sum) / (double)f->wakes : 0,
			ms(f->wait_median), ms(f->wait_p90));
		buf_printf(out, "  %-15s %11.3f %7.2f%% %7lld %24s %7lld %26s\n", s->scenario->tasks[i].name,
			ms(f->cpu_ns), s->result->t ? 100.0 * (double)f->cpu_ns / (double)s->result->t : 0,
			(long long)f->runs, f->runs ? run : "-", (long long)f->wakes, f->wakes ? wait : "-");
	}
	buf_printf(out, "  %-15s %11.3f   (all CPUs)\n", "idle", ms(s->result->idle));
}

/* What cpu.stat would say of the groups with a quota. */
static void show_groups(struct buf *out, const struct sim_shown *s)
{
	for (int g = 0; g < s->scenario->n_groups; g++) {
		const struct sim_group *group = &s->scenario->groups[g];
		const struct sim_group_use *use = &s->result->groups[g];
		if (group->quota)
			buf_printf(out,
				"  group %s, %.3f ms each %.3f: used %.3f ms; throttled in %d of %d periods, %.3f ms "
				"in all\n",
				group->name, ms(group->quota), ms(group->period), ms(use->cpu_ns), (int)use->throttled,
				(int)use->periods, ms(use->throttled_ns));
	}
}

static void show_reason(struct buf *out, const struct sim_record *r)
{
	buf_printf(out, "%s", sim_reason_text(r->reason));
	if ((r->reason == SIM_TICK_DEADLINE || r->reason == SIM_TICK_PROTECTION || r->reason == SIM_TICK_SLICE) &&
		r->point)
		buf_printf(out, ", %s", sim_point_text(r->point));
}

static void show_record(struct buf *out, const struct sim_shown *s, const struct sim_record *r)
{
	buf_printf(out, "  %12.6f  %2d  ", ms(r->t), r->cpu);
	if (r->kind == SIM_SWITCH)
		buf_printf(out, "%s -> %s after %.6f ms: ", name_of(s, r->from), name_of(s, r->to), ms(r->value));
	else if (r->kind == SIM_WOKEN)
		buf_printf(out, "%s wakes beside %s: ", name_of(s, r->to), name_of(s, r->from));
	else if (r->to != SIM_NONE)
		buf_printf(out, "%s: ", name_of(s, r->to));
	else if ((r->reason == SIM_THROTTLE || r->reason == SIM_REFILL) && r->other != SIM_NONE)
		buf_printf(out, "group %s: ", group_of(s, r->other));
	show_reason(out, r);
	buf_char(out, '\n');
}

static void show_machine(struct buf *out, const struct sim_scenario *sc)
{
	buf_printf(out, "%s; %d CPU%s", sim_profile_label(sc->profile), (int)sc->cpus, sc->cpus == 1 ? "" : "s");
	if (sc->profile < SIM_FIFO)
		buf_printf(out, ", HZ %d", (int)sc->hz);
	buf_char(out, '\n');
}

void sim_show_text(struct buf *out, const struct sim_shown *s, int64_t lines)
{
	show_machine(out, s->scenario);
	buf_printf(out, "\n  0 to %.3f ms; # ran most of a cell, + some, . little\n", ms(s->result->t));
	for (int i = 0; i < s->scenario->n_tasks; i++)
		show_lane(out, s, i);
	show_figures(out, s);
	show_groups(out, s);
	buf_printf(out, "\n  %12s  %2s\n", "ms", "CPU");
	for (uint32_t i = 0; i < s->result->records && (lines < 0 || i < lines); i++)
		show_record(out, s, &s->log[i]);
	if (lines >= 0 && s->result->records > lines)
		buf_printf(out, "  … and %lld more; --lines -1 prints all\n", (long long)(s->result->records - lines));
}

static void json_name(struct buf *out, const struct sim_shown *s, int task)
{
	if (task == SIM_NONE)
		buf_add(out, STR("null"));
	else
		json_write_text(out, str_of(s->scenario->tasks[task].name));
}

static void json_figure(struct buf *out, const char *key, int64_t v)
{
	buf_printf(out, "\"%s\":%lld,", key, (long long)v);
}

static void json_task(struct buf *out, const struct sim_shown *s, int i)
{
	const struct sim_figures *f = &s->figures[i];

	buf_char(out, '{');
	json_figure(out, "cpu_ns", f->cpu_ns);
	json_figure(out, "finished_ns", f->finished);
	json_figure(out, "first_run_ns", f->first_run);
	buf_add(out, STR("\"name\":"));
	json_name(out, s, i);
	buf_char(out, ',');
	json_figure(out, "run_max_ns", f->run_max);
	json_figure(out, "run_median_ns", f->run_median);
	json_figure(out, "run_min_ns", f->run_min);
	json_figure(out, "runs", f->runs);
	json_figure(out, "wait_max_ns", f->wait_max);
	json_figure(out, "wait_median_ns", f->wait_median);
	json_figure(out, "wait_p90_ns", f->wait_p90);
	json_figure(out, "wait_sum_ns", f->wait_sum);
	json_figure(out, "waits_below_300us", f->below_300us);
	buf_printf(out, "\"wakes\":%lld}", (long long)f->wakes);
}

static void json_groups(struct buf *out, const struct sim_shown *s)
{
	bool any = false;

	for (int g = 0; g < s->scenario->n_groups; g++) {
		const struct sim_group_use *use = &s->result->groups[g];
		if (!s->scenario->groups[g].quota)
			continue;
		buf_add(out, any ? STR(",{") : STR("{"));
		any = true;
		json_figure(out, "cpu_ns", use->cpu_ns);
		buf_add(out, STR("\"name\":"));
		json_write_text(out, str_of(group_of(s, g)));
		buf_printf(out, ",\"periods\":%d,\"throttled\":%d,\"throttled_ns\":%lld}", (int)use->periods,
			(int)use->throttled, (long long)use->throttled_ns);
	}
}

static void json_record(struct buf *out, const struct sim_shown *s, const struct sim_record *r)
{
	static const char *const kinds[] = {"switch", "wake", "note"};

	buf_printf(out, "[%lld,%d,\"%s\",", (long long)r->t, r->cpu, kinds[r->kind]);
	json_name(out, s, r->from);
	buf_char(out, ',');
	json_name(out, s, r->to);
	buf_printf(out, ",\"%s\",\"%s\",%lld,%d,%u]", sim_reason_name(r->reason), sim_point_text(r->point),
		(long long)r->value, r->other, (unsigned)r->event);
}

void sim_show_json(struct buf *out, const struct sim_shown *s)
{
	char *text = ARENA_NEW(out->arena, char, canonical_max);
	ptrdiff_t n = (ptrdiff_t)sim_print(s->scenario, text, (size_t)canonical_max);

	buf_printf(out, "{\"events\":%llu,\"format\":\"runq-sim\",\"groups\":[", (unsigned long long)s->result->events);
	json_groups(out, s);
	buf_printf(out, "],\"idle_ns\":%lld,\"profile\":\"%s\",\n\"records\":[", (long long)s->result->idle,
		sim_profile_name(s->scenario->profile));
	for (uint32_t i = 0; i < s->result->records; i++) {
		buf_add(out, i ? STR(",\n") : STR("\n"));
		json_record(out, s, &s->log[i]);
	}
	buf_add(out, STR("],\n\"scenario\":"));
	json_write_text(out, (struct str){text, n});
	buf_add(out, STR(",\n\"stopped\":"));
	if (sim_show_stop(s->result))
		json_write_text(out, str_of(sim_show_stop(s->result)));
	else
		buf_add(out, STR("null"));
	buf_printf(out, ",\"t_ns\":%lld,\n\"tasks\":[", (long long)s->result->t);
	for (int i = 0; i < s->scenario->n_tasks; i++) {
		buf_add(out, i ? STR(",\n") : STR("\n"));
		json_task(out, s, i);
	}
	buf_add(out, STR("],\n\"version\":1}\n"));
}

/* What decides about a real-time task, a reservation or the fair server. */
static void why_urgent(struct buf *out, const struct sim_shown *s, const struct sim_member *m)
{
	const struct sim_task *t = m->task == SIM_NONE ? NULL : &s->scenario->tasks[m->task];

	if (t && t->policy < SIM_DEADLINE)
		buf_printf(out, " priority %d", (int)t->prio);
	if (t && t->policy == SIM_TASK_RR)
		buf_printf(out, ", %lld ticks left of its round", (long long)m->level_left);
	if (!t && !m->queued)
		buf_add(out, STR(" nothing fair to serve"));
	else if (!t || t->policy == SIM_DEADLINE)
		buf_printf(out, " deadline %.6f ms, budget %.6f ms%s", ms(m->deadline), ms(m->level_left),
			t	       ? ""
			: m->throttled ? "; waits until no more than its budget is left"
				       : "; serves fair tasks before real-time ones");
}

static void why_member(struct buf *out, const struct sim_shown *s, const struct sim_member *m)
{
	const char *state = m->running	   ? "runs"
			    : m->delayed   ? "sleeps, queued"
			    : m->throttled ? "throttled"
			    : m->queued	   ? "waits"
					   : "sleeps";
	bool linux_fair = s->scenario->profile < SIM_FIFO &&
			  (m->task == SIM_NONE || s->scenario->tasks[m->task].policy <= SIM_IDLE);

	bool server = m->task == SIM_NONE && m->group == SIM_NONE;
	buf_printf(out, "  %-15s %-14s",
		server		      ? "(fair server)"
		: m->task == SIM_NONE ? group_of(s, m->group)
				      : name_of(s, m->task),
		server ? (m->running ? "serves" : "waits") : state);
	if (s->scenario->profile < SIM_FIFO && (server || !linux_fair))
		why_urgent(out, s, m);
	else if (linux_fair && s->scenario->profile == SIM_CFS65)
		buf_printf(out, " %7lld %14.6f", (long long)m->weight, ms(m->v));
	else if (linux_fair)
		buf_printf(out, " %7lld %14.6f %14.6f %14.6f %14.6f %14.6f  %s", (long long)m->weight, ms(m->v),
			ms(m->deadline), ms(m->vprot), ms(m->lag), ms(m->average),
			!m->queued    ? ""
			: m->eligible ? "yes"
				      : "no");
	else if (s->scenario->profile >= SIM_FIFO && m->level_left != SIM_FOREVER)
		buf_printf(out, " level %d, %.6f ms left of its quantum", m->level, ms(m->level_left));
	buf_char(out, '\n');
}

void sim_show_why(
	struct buf *out, const struct sim_shown *s, int64_t t, void *memory, size_t bytes, struct sim_state *state)
{
	const struct sim_scenario *sc = s->scenario;

	show_machine(out, sc);
	for (int c = 0; c < sc->cpus; c++) {
		uint32_t at = s->result->records;
		for (uint32_t i = 0; i < s->result->records && s->log[i].t <= t; i++)
			if (s->log[i].kind == SIM_SWITCH && s->log[i].cpu == c)
				at = i;
		buf_printf(out, "\nCPU %d at %.6f ms: ", c, ms(t));
		if (at == s->result->records || !sim_state_at_record(sc, memory, bytes, at, state)) {
			buf_add(out, STR("idle, and has been so far\n"));
			continue;
		}
		const struct sim_record *r = &s->log[at];
		buf_printf(out, "%s, since %.6f ms, when it followed %s: ", name_of(s, r->to), ms(r->t),
			name_of(s, r->from));
		show_reason(out, r);
		buf_add(out, STR("\n  as that decision saw it:\n"));
		if (sc->profile < SIM_CFS65)
			buf_printf(out, "  %-30s %7s %14s %14s %14s %14s %14s  %s\n", "", "weight", "v", "deadline",
				"protected to", "lag", "V", "eligible");
		for (int i = 0; i < state->n; i++)
			if (state->members[i].cpu == c)
				why_member(out, s, &state->members[i]);
	}
}
