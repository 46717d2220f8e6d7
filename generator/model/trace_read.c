/* From the tree of JSON to a trace, with every rule of the format. */
#include "model/run_read.h"
#include "model/trace.h"

enum { TRACE_VALUES_MAX = 8 * TRACE_EVENTS_MAX, TRACE_DEPTH_MAX = 4 };

static const char *const event_names[] = {"switch", "wake"};
_Static_assert(sizeof event_names / sizeof *event_names == TRACE_KIND_MAX, "a name for each kind");

static bool name_ok(struct str name)
{
	for (ptrdiff_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
			    c == '_'))
			return false;
	}
	return name.len > 0 && name.len <= RUN_NAME_BYTES_MAX;
}

static bool read_task(struct run_reader *r, const struct json *v, struct trace *t)
{
	static const char *const keys[] = {"kind", "name", NULL};
	static const char *const kinds[] = {"idle", "other", "task"};

	if (!run_read_kind(r, v, JSON_OBJECT) || !run_keys_known(r, v, keys))
		return false;
	int kind = run_read_word(r, run_field(r, v, STR("kind"), JSON_TEXT), kinds, 3);
	const struct json *name = run_field(r, v, STR("name"), JSON_TEXT);
	if (kind < 0 || !name)
		return false;
	if (kind != (t->n_tasks < TRACE_FIRST ? t->n_tasks : TRACE_FIRST))
		return run_refuse(r, v, STR("kind"), "bad_task",
			STR("the first task is idle, the second other, the rest are of kind task; "
			    "keep that order"));
	if (!name_ok(name->text))
		return run_refuse(
			r, name, STR(""), "bad_name", STR("not a name; use at most 64 letters, digits, - and _"));
	for (int i = TRACE_FIRST; i < t->n_tasks; i++)
		if (str_eq(t->tasks[i], name->text))
			return run_refuse(
				r, name, STR(""), "bad_task", STR("two tasks have this name; give each its own"));
	t->tasks[t->n_tasks++] = name->text;
	return true;
}

static bool read_tasks(struct run_reader *r, const struct json *v, struct trace *t)
{
	if (!v)
		return false;
	if (v->n <= TRACE_FIRST || v->n > TRACE_TASKS_MAX)
		return run_refuse(r, v, STR(""), "too_many", STR("a trace has idle, other and 1 to 64 tasks"));
	t->tasks = ARENA_NEW(r->arena, struct str, v->n);
	if (!t->tasks)
		return run_refuse_memory(r);
	for (const struct json *task = v->first; task; task = task->next)
		if (!read_task(r, task, t))
			return false;
	return true;
}

static bool read_switch(struct run_reader *r, const struct json *v, const struct trace *t, struct trace_event *e)
{
	const struct json *state = v->n == 6 ? v->first->next->next->next->next->next : NULL;

	if (!state || state->kind != JSON_TEXT || state->text.len != 1 ||
		str_find_char(STR("RSXI"), state->text.ptr[0]) < 0)
		return run_refuse(r, v, STR(""), "bad_event",
			STR("a switch is [time, cpu, \"switch\", who leaves, who comes, \"R\", \"S\", \"X\" or "
			    "\"I\"]"));
	e->state = state->text.ptr[0];
	if (e->state == TRACE_INFERRED && e->task != TRACE_IDLE)
		return run_refuse(r, v, STR(""), "bad_event",
			STR("only the idle task's leaving is inferred; write R, S or X for others"));
	return e->task != e->other && e->other < t->n_tasks
		       ? true
		       : run_refuse(r, v, STR(""), "bad_event",
				 STR("who comes is no task, or is who leaves; give two different tasks"));
}

static bool read_event(struct run_reader *r, const struct json *v, const struct trace *t, struct trace_event *e)
{
	int64_t cpu, task, other;

	if (!run_read_kind(r, v, JSON_ARRAY))
		return false;
	if (v->n < 5)
		return run_refuse(r, v, STR(""), "bad_event", STR("an event has five or six parts; give them all"));
	const struct json *at = v->first, *word = at->next->next;
	int kind = run_read_word(r, word, event_names, TRACE_KIND_MAX);
	if (kind < 0 || !run_read_int(r, at, 0, t->duration_ns, &e->t_ns) ||
		!run_read_int(r, at->next, 0, t->n_cpus - 1, &cpu) ||
		!run_read_int(r, word->next, 0, t->n_tasks - 1, &task) ||
		!run_read_int(r, word->next->next, 0, TRACE_TASKS_MAX, &other))
		return false;
	e->kind = (enum trace_kind)kind;
	e->cpu = (int)cpu;
	e->task = (int)task;
	e->other = (int)other;
	if (e->kind == TRACE_SWITCH)
		return read_switch(r, v, t, e);
	return v->n == 5 && task >= TRACE_FIRST && other < t->n_cpus
		       ? true
		       : run_refuse(r, v, STR(""), "bad_event",
				 STR("a wake is [time, cpu, \"wake\", task, the CPU it is put on]"));
}

static bool read_events(struct run_reader *r, const struct json *v, struct trace *t)
{
	int last[TRACE_CPUS_MAX];

	if (!v)
		return false;
	if (v->n > TRACE_EVENTS_MAX)
		return run_refuse(r, v, STR(""), "too_many", STR("more than 100000 events; record a shorter time"));
	t->events = ARENA_NEW(r->arena, struct trace_event, v->n);
	if (!t->events)
		return run_refuse_memory(r);
	for (int i = 0; i < TRACE_CPUS_MAX; i++)
		last[i] = -1;
	for (const struct json *item = v->first; item; item = item->next) {
		struct trace_event *e = &t->events[t->n++];
		if (!read_event(r, item, t, e))
			return false;
		if (t->n > 1 && e->t_ns < e[-1].t_ns)
			return run_refuse(
				r, item, STR(""), "bad_order", STR("earlier than the event before; sort them by time"));
		if (e->kind != TRACE_SWITCH)
			continue;
		if (!t->lost && last[e->cpu] >= 0 && last[e->cpu] != e->task)
			return run_refuse(r, item, STR(""), "bad_chain",
				STR("who leaves this CPU is not who came to it last; say in \"lost\" how "
				    "many events are missing"));
		last[e->cpu] = e->other;
	}
	return true;
}

static bool read_numbers(struct run_reader *r, const struct json *root, struct trace *t)
{
	const struct json *steal = json_get(root, STR("steal_ns"));
	int64_t version, cpus;

	t->steal_ns = RUN_NULL;
	if (!run_read_int(r, run_field(r, root, STR("version"), JSON_INT), 0, JSON_INT_MAX, &version))
		return false;
	if (version != 1)
		return run_refuse(r, json_get(root, STR("version")), STR(""), "unsupported_version",
			STR("only version 1 is known; use a newer runq"));
	if (!run_read_int(r, run_field(r, root, STR("cpus"), JSON_INT), 1, TRACE_CPUS_MAX, &cpus) ||
		!run_read_int(r, run_field(r, root, STR("duration_ns"), JSON_INT), 1, TRACE_DURATION_MAX_NS,
			&t->duration_ns) ||
		!run_read_int(r, run_field(r, root, STR("lost"), JSON_INT), 0, JSON_INT_MAX, &t->lost))
		return false;
	t->n_cpus = (int)cpus;
	return !steal || steal->kind == JSON_NULL || run_read_int(r, steal, 0, JSON_INT_MAX, &t->steal_ns);
}

static bool read_root(struct run_reader *r, const struct json *root, struct trace *t)
{
	static const char *const keys[] = {"clock", "cpus", "duration_ns", "events", "format", "lost", "machine",
		"scenario", "steal_ns", "tasks", "version", NULL};
	static const char *const formats[] = {"runq-trace"};

	return run_read_kind(r, root, JSON_OBJECT) &&
	       run_read_word(r, run_field(r, root, STR("format"), JSON_TEXT), formats, 1) == 0 &&
	       run_keys_known(r, root, keys) && read_numbers(r, root, t) &&
	       run_read_text(r, run_field(r, root, STR("clock"), JSON_TEXT), RUN_NAME_BYTES_MAX, &t->clock) &&
	       run_read_text(
		       r, run_field(r, root, STR("scenario"), JSON_TEXT), TRACE_SCENARIO_BYTES_MAX, &t->scenario) &&
	       run_read_facts(r, run_field(r, root, STR("machine"), JSON_OBJECT), false, &t->machine) &&
	       read_tasks(r, run_field(r, root, STR("tasks"), JSON_ARRAY), t) &&
	       read_events(r, run_field(r, root, STR("events"), JSON_ARRAY), t);
}

struct trace_result trace_read(struct arena *a, struct str bytes)
{
	struct json_limits limits = {TRACE_BYTES_MAX, TRACE_VALUES_MAX, TRACE_DEPTH_MAX};
	struct trace_result result = {0};
	struct run_reader r = {.arena = a, .in = bytes};
	struct json_result tree = json_read(a, bytes, limits);
	struct trace *t = ARENA_NEW(a, struct trace, 1);

	if (!tree.root) {
		result.error = (struct run_error){
			tree.error.code, tree.error.field, tree.error.what, tree.error.line, tree.error.col};
		return result;
	}
	if (!t)
		run_refuse_memory(&r);
	else if (read_root(&r, tree.root, t))
		result.trace = t;
	result.error = r.error;
	return result;
}
