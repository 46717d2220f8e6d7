/* The canonical bytes of a trace. */
#include "model/trace.h"

#include "text/json.h"

static void add_task(struct buf *out, int i, struct str name)
{
	static const char *const kinds[] = {"idle", "other", "task"};

	buf_add(out, STR("{\"kind\":\""));
	buf_add(out, str_of(kinds[i < TRACE_FIRST ? i : TRACE_FIRST]));
	buf_add(out, STR("\",\"name\":"));
	json_write_text(out, name);
	buf_char(out, '}');
}

static void add_number(struct buf *out, int64_t v)
{
	if (v == RUN_NULL)
		buf_add(out, STR("null"));
	else
		buf_i64(out, v);
}

static void add_event(struct buf *out, const struct trace_event *e)
{
	buf_char(out, '[');
	buf_i64(out, e->t_ns);
	buf_char(out, ',');
	buf_i64(out, e->cpu);
	buf_add(out, e->kind == TRACE_SWITCH ? STR(",\"switch\",") : STR(",\"wake\","));
	buf_i64(out, e->task);
	buf_char(out, ',');
	buf_i64(out, e->other);
	if (e->kind == TRACE_SWITCH) {
		buf_add(out, STR(",\""));
		buf_char(out, e->state);
		buf_char(out, '"');
	}
	buf_char(out, ']');
}

void trace_write(const struct trace *t, struct buf *out)
{
	buf_add(out, STR("{\"clock\":"));
	json_write_text(out, t->clock);
	buf_add(out, STR(",\"cpus\":"));
	buf_i64(out, t->n_cpus);
	buf_add(out, STR(",\"duration_ns\":"));
	buf_i64(out, t->duration_ns);
	buf_add(out, STR(",\"events\":["));
	for (ptrdiff_t i = 0; i < t->n; i++) {
		if (i)
			buf_char(out, ',');
		add_event(out, &t->events[i]);
	}
	buf_add(out, STR("],\"format\":\"runq-trace\",\"lost\":"));
	buf_i64(out, t->lost);
	run_write_facts(out, STR("machine"), &t->machine);
	buf_add(out, STR(",\"scenario\":"));
	json_write_text(out, t->scenario);
	buf_add(out, STR(",\"steal_ns\":"));
	add_number(out, t->steal_ns);
	buf_add(out, STR(",\"tasks\":["));
	for (int i = 0; i < t->n_tasks; i++) {
		if (i)
			buf_char(out, ',');
		add_task(out, i, t->tasks[i]);
	}
	buf_add(out, STR("],\"version\":1}"));
}
