/* Statistics of a trace as a file, written and read. */
#include "model/run_read.h"
#include "model/trace_stats.h"
#include "text/json.h"

#define TRACE_STATS_FORMAT "runq-trace-stats"

static void add_int(struct buf *out, struct str key, int64_t v)
{
	if (out->len && out->ptr[out->len - 1] != '{')
		buf_char(out, ',');
	json_write_text(out, key);
	buf_char(out, ':');
	if (v == RUN_NULL)
		buf_add(out, STR("null"));
	else
		buf_i64(out, v);
}

static void add_list(struct buf *out, const int64_t *v, ptrdiff_t n)
{
	buf_char(out, '[');
	for (ptrdiff_t i = 0; i < n; i++) {
		if (i)
			buf_char(out, ',');
		buf_i64(out, v[i]);
	}
	buf_char(out, ']');
}

static void add_dist(struct buf *out, struct str key, const struct trace_dist *d)
{
	buf_char(out, ',');
	json_write_text(out, key);
	buf_add(out, STR(":{"));
	add_int(out, STR("mean"), d->mean_ns);
	add_int(out, STR("n"), d->n);
	buf_add(out, STR(",\"q\":"));
	add_list(out, d->q_ns, d->n ? TRACE_QUANTILES : 0);
	add_int(out, STR("under"), d->under_ppm);
	buf_char(out, '}');
}

void trace_stats_write(const struct trace_stats *s, struct buf *out)
{
	buf_char(out, '{');
	add_int(out, STR("duration_ns"), s->duration_ns);
	buf_add(out, STR(",\"format\":\"" TRACE_STATS_FORMAT "\""));
	add_int(out, STR("idle"), s->idle_ppm);
	if (s->inferred)
		add_int(out, STR("inferred"), s->inferred);
	add_int(out, STR("lost"), s->lost);
	run_write_facts(out, STR("machine"), &s->machine);
	add_int(out, STR("others"), s->others_ppm);
	buf_add(out, STR(",\"scenario\":"));
	json_write_text(out, s->scenario);
	add_int(out, STR("steal_ns"), s->steal_ns);
	buf_add(out, STR(",\"tasks\":["));
	for (int i = 0; i < s->n; i++) {
		buf_add(out, i ? STR(",{\"name\":") : STR("{\"name\":"));
		json_write_text(out, s->tasks[i].name);
		add_dist(out, STR("runs"), &s->tasks[i].runs);
		add_int(out, STR("share"), s->tasks[i].share_ppm);
		add_dist(out, STR("waits"), &s->tasks[i].waits);
		buf_char(out, '}');
	}
	buf_add(out, STR("],\"turns\":["));
	for (int i = 0; i <= s->n; i++) {
		if (i)
			buf_char(out, ',');
		add_list(out, s->turns + (ptrdiff_t)i * (s->n + 1), s->n + 1);
	}
	buf_add(out, STR("],\"version\":1}"));
}

static bool read_list(struct run_reader *r, const struct json *v, int64_t *out, ptrdiff_t n)
{
	if (!v)
		return false;
	if (v->n != n)
		return run_refuse(r, v, STR(""), "values_count",
			RUN_JOIN(r->arena, run_int_text(r->arena, n),
				STR(" numbers belong here; write them as runq does")));
	for (const struct json *item = v->first; item; item = item->next)
		if (!run_read_kind(r, item, JSON_INT) || !run_read_int(r, item, 0, JSON_INT_MAX, out++))
			return false;
	return true;
}

static bool read_dist(struct run_reader *r, const struct json *v, struct trace_dist *d)
{
	static const char *const keys[] = {"mean", "n", "q", "under", NULL};

	if (!v || !run_keys_known(r, v, keys) ||
		!run_read_int(r, run_field(r, v, STR("n"), JSON_INT), 0, TRACE_EVENTS_MAX, &d->n) ||
		!run_read_int(r, run_field(r, v, STR("mean"), JSON_INT), 0, TRACE_DURATION_MAX_NS, &d->mean_ns) ||
		!run_read_int(r, run_field(r, v, STR("under"), JSON_INT), 0, 1000000, &d->under_ppm) ||
		!read_list(r, run_field(r, v, STR("q"), JSON_ARRAY), d->q_ns, d->n ? TRACE_QUANTILES : 0))
		return false;
	for (int k = 1; k < TRACE_QUANTILES; k++)
		if (d->q_ns[k] < d->q_ns[k - 1])
			return run_refuse(
				r, json_get(v, STR("q")), STR(""), "bad_order", STR("quantiles ascend; sort them"));
	return true;
}

static bool read_task(struct run_reader *r, const struct json *v, struct trace_task *t)
{
	static const char *const keys[] = {"name", "runs", "share", "waits", NULL};

	return run_read_kind(r, v, JSON_OBJECT) && run_keys_known(r, v, keys) &&
	       run_read_text(r, run_field(r, v, STR("name"), JSON_TEXT), RUN_NAME_BYTES_MAX, &t->name) &&
	       run_read_int(r, run_field(r, v, STR("share"), JSON_INT), 0, 1000000, &t->share_ppm) &&
	       read_dist(r, run_field(r, v, STR("runs"), JSON_OBJECT), &t->runs) &&
	       read_dist(r, run_field(r, v, STR("waits"), JSON_OBJECT), &t->waits);
}

static bool read_tasks(struct run_reader *r, const struct json *v, struct trace_stats *s)
{
	if (!v)
		return false;
	if (v->n < 1 || v->n > TRACE_TASKS_MAX - TRACE_FIRST)
		return run_refuse(r, v, STR(""), "too_many", STR("a scenario has 1 to 64 tasks; write as many"));
	s->tasks = ARENA_NEW(r->arena, struct trace_task, v->n);
	s->turns = ARENA_NEW(r->arena, int64_t, (v->n + 1) * (v->n + 1));
	if (!s->tasks || !s->turns)
		return run_refuse_memory(r);
	for (const struct json *task = v->first; task; task = task->next)
		if (!read_task(r, task, &s->tasks[s->n++]))
			return false;
	return true;
}

static bool read_turns(struct run_reader *r, const struct json *v, const struct trace_stats *s)
{
	int64_t *row = s->turns;

	if (!v)
		return false;
	if (v->n != s->n + 1)
		return run_refuse(
			r, v, STR(""), "values_count", STR("a row for idle and one for each task belong here"));
	for (const struct json *item = v->first; item; item = item->next, row += s->n + 1)
		if (!run_read_kind(r, item, JSON_ARRAY) || !read_list(r, item, row, s->n + 1))
			return false;
	return true;
}

static bool read_root(struct run_reader *r, const struct json *root, struct trace_stats *s)
{
	static const char *const keys[] = {"duration_ns", "format", "idle", "inferred", "lost", "machine", "others",
		"scenario", "steal_ns", "tasks", "turns", "version", NULL};
	static const char *const formats[] = {TRACE_STATS_FORMAT};
	const struct json *steal = json_get(root, STR("steal_ns")), *inferred = json_get(root, STR("inferred"));
	int64_t version;

	s->steal_ns = RUN_NULL;
	return run_read_kind(r, root, JSON_OBJECT) &&
	       run_read_word(r, run_field(r, root, STR("format"), JSON_TEXT), formats, 1) == 0 &&
	       run_keys_known(r, root, keys) &&
	       run_read_int(r, run_field(r, root, STR("version"), JSON_INT), 1, 1, &version) &&
	       run_read_int(r, run_field(r, root, STR("duration_ns"), JSON_INT), 1, TRACE_DURATION_MAX_NS,
		       &s->duration_ns) &&
	       run_read_int(r, run_field(r, root, STR("lost"), JSON_INT), 0, JSON_INT_MAX, &s->lost) &&
	       (!inferred || run_read_int(r, inferred, 1, TRACE_EVENTS_MAX, &s->inferred)) &&
	       run_read_int(r, run_field(r, root, STR("idle"), JSON_INT), 0, 1000000, &s->idle_ppm) &&
	       run_read_int(r, run_field(r, root, STR("others"), JSON_INT), 0, 1000000, &s->others_ppm) &&
	       (!steal || steal->kind == JSON_NULL || run_read_int(r, steal, 0, JSON_INT_MAX, &s->steal_ns)) &&
	       run_read_text(
		       r, run_field(r, root, STR("scenario"), JSON_TEXT), TRACE_SCENARIO_BYTES_MAX, &s->scenario) &&
	       run_read_facts(r, run_field(r, root, STR("machine"), JSON_OBJECT), false, &s->machine) &&
	       read_tasks(r, run_field(r, root, STR("tasks"), JSON_ARRAY), s) &&
	       read_turns(r, run_field(r, root, STR("turns"), JSON_ARRAY), s);
}

struct trace_stats_result trace_stats_read(struct arena *a, struct str bytes)
{
	enum { VALUES_MAX = 16000, DEPTH_MAX = 5 };
	struct json_limits limits = {TRACE_STATS_BYTES_MAX, VALUES_MAX, DEPTH_MAX};
	struct trace_stats_result result = {0};
	struct run_reader r = {.arena = a, .in = bytes};
	struct json_result tree = json_read(a, bytes, limits);
	struct trace_stats *s = ARENA_NEW(a, struct trace_stats, 1);

	if (!tree.root) {
		result.error = (struct run_error){
			tree.error.code, tree.error.field, tree.error.what, tree.error.line, tree.error.col};
		return result;
	}
	if (!s)
		run_refuse_memory(&r);
	else if (read_root(&r, tree.root, s))
		result.stats = s;
	result.error = r.error;
	return result;
}
