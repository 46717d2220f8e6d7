/* Traces: the format's reader and writer, and what a log comes to, on logs made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "model/trace_stats.h"

enum { ARENA = 64 << 20, MS = 1000000 };

#define HEAD "{\"clock\":\"mono\",\"cpus\":1,\"duration_ns\":20000000,\"events\":["
#define TAIL                                                                                                           \
	"],\"format\":\"runq-trace\",\"lost\":0,\"machine\":{\"arch\":\"x86_64\",\"hz\":250},\"scenario\":\"task a: "  \
	"run\\n\",\"steal_ns\":null,"                                                                                  \
	"\"tasks\":[{\"kind\":\"idle\",\"name\":\"idle\"},{\"kind\":\"other\",\"name\":\"other\"},{\"kind\":\"task\"," \
	"\"name\":\"a\"},"                                                                                             \
	"{\"kind\":\"task\",\"name\":\"b\"}],\"version\":1}"

static const char sample[] =
	HEAD "[0,0,\"switch\",0,2,\"R\"],[4000000,0,\"switch\",2,3,\"R\"],[5000000,0,\"wake\",2,0]" TAIL;

static struct trace_result read_text(struct arena *a, const char *text)
{
	return trace_read(a, str_of(text));
}

static void what_is_read_is_written_again(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_result r = read_text(&a, sample);
	struct buf out = buf_new(&a);

	(void)state;
	assert_null(r.error.code);
	assert_int_equal(r.trace->n, 3);
	assert_int_equal(r.trace->n_tasks, 4);
	assert_int_equal(r.trace->steal_ns, RUN_NULL);
	assert_int_equal(r.trace->events[1].other, 3);
	assert_int_equal(r.trace->events[1].state, 'R');
	assert_int_equal(r.trace->events[2].kind, TRACE_WAKE);
	trace_write(r.trace, &out);
	assert_true(str_eq(buf_str(&out), str_of(sample)));
	arena_free(&block);
}

/* `old` in the sample replaced by `new`. */
static struct trace_result with(struct arena *a, const char *old, const char *new)
{
	struct str whole = str_of(sample);
	ptrdiff_t at = str_find(whole, str_of(old));
	struct buf b = buf_new(a);

	if (at < 0)
		fail_msg("the sample does not hold %s", old);
	buf_add(&b, str_slice(whole, 0, at));
	buf_add(&b, str_of(new));
	buf_add(&b, str_from(whole, at + str_of(old).len));
	return trace_read(a, buf_str(&b));
}

static void an_inferred_switch_stays_one(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_result r = with(&a, "0,2,\"R\"", "0,2,\"I\"");
	struct buf out = buf_new(&a), stats = buf_new(&a), again = buf_new(&a);

	(void)state;
	assert_null(r.error.code);
	assert_int_equal(r.trace->events[0].state, TRACE_INFERRED);
	trace_write(r.trace, &out);
	assert_true(str_find(buf_str(&out), STR("\"switch\",0,2,\"I\"]")) > 0);
	trace_stats_write(trace_stats_of(&a, r.trace), &stats);
	assert_true(str_find(buf_str(&stats), STR(",\"inferred\":1,\"lost\":0,")) > 0);
	struct trace_stats_result s = trace_stats_read(&a, buf_str(&stats));
	assert_null(s.error.code);
	assert_int_equal(s.stats->inferred, 1);
	trace_stats_write(s.stats, &again);
	assert_true(str_eq(buf_str(&stats), buf_str(&again)));
	arena_free(&block);
}

static void refusals_name_field_and_rule(void **state)
{
	static const struct {
		const char *old, *new, *code, *field;
	} cases[] = {
		{"\"runq-trace\"", "\"runq-run\"", "unknown_word", "format"},
		{"\"version\":1", "\"version\":2", "unsupported_version", "version"},
		{"\"lost\":0", "\"lost\":-1", "out_of_range", "lost"},
		{"\"lost\":0", "\"lots\":0", "unknown_key", "lots"},
		{"\"lost\":0,", "", "missing_key", "lost"},
		{"\"cpus\":1", "\"cpus\":65", "out_of_range", "cpus"},
		{"\"duration_ns\":20000000", "\"duration_ns\":60000000001", "out_of_range", "duration_ns"},
		{"[4000000", "[20000001", "out_of_range", "events[1][0]"},
		{"[5000000", "[3999999", "bad_order", "events[2]"},
		{"[4000000,0", "[4000000,1", "out_of_range", "events[1][1]"},
		{"2,3,\"R\"", "3,2,\"R\"", "bad_chain", "events[1]"},
		{"2,3,\"R\"", "2,2,\"R\"", "bad_event", "events[1]"},
		{"2,3,\"R\"", "2,4,\"R\"", "bad_event", "events[1]"},
		{"2,3,\"R\"", "2,3,\"D\"", "bad_event", "events[1]"},
		{"2,3,\"R\"", "2,3", "bad_event", "events[1]"},
		{"2,3,\"R\"", "2,3,\"I\"", "bad_event", "events[1]"}, /* only idle's leaving is inferred */
		{"\"wake\",2,0", "\"wake\",1,0", "bad_event", "events[2]"},
		{"\"wake\",2,0", "\"wake\",2,1", "bad_event", "events[2]"},
		{"\"wake\",2,0", "\"wake\",2", "bad_event", "events[2]"},
		{"\"wake\"", "\"woke\"", "unknown_word", "events[2][2]"},
		{"\"name\":\"b\"", "\"name\":\"a\"", "bad_task", "tasks[3].name"},
		{"\"name\":\"b\"", "\"name\":\"../b\"", "bad_name", "tasks[3].name"},
		{"\"kind\":\"other\"", "\"kind\":\"task\"", "bad_task", "tasks[1].kind"},
		{"\"hz\":250", "\"hz\":2.5", "number", "machine.hz"},
	};
	struct arena_block block;
	struct arena whole = arena_new(&block, ARENA);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = whole;
		struct trace_result r = with(&a, cases[i].old, cases[i].new);
		if (r.trace || !r.error.code || !str_eq(str_of(r.error.code), str_of(cases[i].code)) ||
			!str_eq(r.error.field, str_of(cases[i].field)))
			fail_msg("%s -> %s: %s at %.*s", cases[i].old, cases[i].new,
				r.error.code ? r.error.code : "accepted", STR_FMT(r.error.field));
		if (str_find(r.error.what, STR(";")) < 0 && !str_eq(str_of(cases[i].code), STR("bad_event")))
			fail_msg("no remedy: %.*s", STR_FMT(r.error.what));
	}
	/* With events lost a broken chain is no fault. */
	struct arena a = whole;
	struct buf b = buf_new(&a);
	buf_add(&b, STR("{\"clock\":\"mono\",\"cpus\":1,\"duration_ns\":9,\"events\":[[0,0,\"switch\",2,0,\"S\"],[1,0,"
			"\"switch\",2,0,\"S\"]],"
			"\"format\":\"runq-trace\",\"lost\":1,\"machine\":{},\"scenario\":\"\",\"steal_ns\":0,"
			"\"tasks\":[{\"kind\":\"idle\","
			"\"name\":\"idle\"},{\"kind\":\"other\",\"name\":\"other\"},{\"kind\":\"task\",\"name\":\"a\"}]"
			",\"version\":1}"));
	assert_non_null(trace_read(&a, buf_str(&b)).trace);
	arena_free(&block);
}

static void small_memory_is_an_error(void **state)
{
	static unsigned char mem[1 << 16];

	(void)state;
	for (ptrdiff_t bytes = 0; bytes < (ptrdiff_t)sizeof mem; bytes += 97) {
		struct arena a = arena_over(mem, bytes);
		struct trace_result r = read_text(&a, sample);
		if (!r.trace)
			assert_string_equal(r.error.code, "no_memory");
		else
			trace_stats_of(&a, r.trace);
	}
}

static struct str names[] = {{"idle", 4}, {"other", 5}, {"a", 1}, {"b", 1}};

static struct trace by_hand(struct trace_event *events, ptrdiff_t n, int64_t duration_ns)
{
	return (struct trace){
		.n_cpus = 1, .n_tasks = 4, .tasks = names, .events = events, .n = n, .duration_ns = duration_ns};
}

#define SWITCH(ms, from, to, s)                                                                                        \
	{                                                                                                              \
		.t_ns = (ms)*MS, .kind = TRACE_SWITCH, .task = (from), .other = (to), .state = (s)                     \
	}
#define WAKE(ms, who)                                                                                                  \
	{                                                                                                              \
		.t_ns = (ms)*MS, .kind = TRACE_WAKE, .task = (who)                                                     \
	}

static void shares_runs_and_turns(void **state)
{
	struct trace_event events[] = {SWITCH(0, 0, 2, 'R'), SWITCH(4, 2, 3, 'R'), SWITCH(8, 3, 2, 'R'),
		SWITCH(12, 2, 3, 'R'), SWITCH(14, 3, 0, 'S')};
	struct trace t = by_hand(events, 5, 20 * MS);
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *s = trace_stats_of(&a, &t);

	(void)state;
	assert_int_equal(s->n, 2);
	assert_int_equal(s->tasks[0].share_ppm, 400000);
	assert_int_equal(s->tasks[1].share_ppm, 300000);
	assert_int_equal(s->idle_ppm, 300000);
	assert_int_equal(s->others_ppm, 0);
	assert_int_equal(s->tasks[0].runs.n, 2);
	assert_int_equal(s->tasks[0].runs.mean_ns, 4 * MS);
	assert_int_equal(s->tasks[1].runs.n, 2);
	assert_int_equal(s->tasks[1].runs.q_ns[0], 2 * MS);
	assert_int_equal(s->tasks[1].runs.q_ns[TRACE_QUANTILES - 1], 4 * MS);
	/* idle a, a b twice, b a once, b idle */
	assert_int_equal(s->turns[0 * 3 + 1], 1);
	assert_int_equal(s->turns[1 * 3 + 2], 2);
	assert_int_equal(s->turns[2 * 3 + 1], 1);
	assert_int_equal(s->turns[2 * 3 + 0], 1);
	arena_free(&block);
}

/* A stranger that comes in between takes nothing from the task's run and does not end it; its time is nobody's share. */
static void strangers_do_not_cut_runs(void **state)
{
	struct trace_event events[] = {SWITCH(0, 0, 2, 'R'), SWITCH(3, 2, 1, 'R'), SWITCH(5, 1, 2, 'S'),
		SWITCH(6, 2, 3, 'R'), SWITCH(10, 3, 2, 'R')};
	struct trace t = by_hand(events, 5, 12 * MS);
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *s = trace_stats_of(&a, &t);

	(void)state;
	assert_int_equal(s->tasks[0].runs.n, 1); /* the last is cut by the end */
	assert_int_equal(s->tasks[0].runs.q_ns[TRACE_Q50], 4 * MS);
	assert_int_equal(s->others_ppm, 2 * 1000000 / 12);
	assert_int_equal(s->tasks[0].share_ppm, 600000);
	assert_int_equal(s->tasks[1].share_ppm, 400000);
	assert_int_equal(s->turns[1 * 3 + 2], 1);
	assert_int_equal(s->turns[2 * 3 + 1], 1);
	arena_free(&block);
}

static void a_switch_that_was_lost_spoils_only_its_run(void **state)
{
	/* b leaves, though a came last */
	struct trace_event events[] = {
		SWITCH(0, 0, 2, 'R'), SWITCH(9, 3, 2, 'R'), SWITCH(12, 2, 3, 'R'), SWITCH(16, 3, 2, 'R')};
	struct trace t = by_hand(events, 4, 20 * MS);
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *s = trace_stats_of(&a, &t);

	(void)state;
	assert_int_equal(s->tasks[0].runs.n, 1);
	assert_int_equal(s->tasks[0].runs.q_ns[0], 3 * MS);
	assert_int_equal(s->tasks[1].runs.n, 1);
	assert_int_equal(s->tasks[1].runs.q_ns[0], 4 * MS);
	/* The same where a stranger was seen to come, but not to leave: the task had come back. */
	struct trace_event other[] = {
		SWITCH(0, 0, 2, 'R'), SWITCH(3, 2, 1, 'R'), SWITCH(6, 2, 3, 'R'), SWITCH(9, 3, 2, 'R')};
	t = by_hand(other, 4, 10 * MS);
	s = trace_stats_of(&a, &t);
	assert_int_equal(s->tasks[0].runs.n, 1);
	assert_int_equal(s->tasks[0].runs.q_ns[0], 6 * MS);
	arena_free(&block);
}

static void waits_are_from_wake_to_run(void **state)
{
	struct trace_event events[] = {WAKE(0, 2), SWITCH(1, 0, 2, 'R'), SWITCH(2, 2, 0, 'S'), WAKE(4, 2),
		SWITCH(7, 0, 2, 'R'), WAKE(8, 2), SWITCH(9, 2, 0, 'S'), WAKE(10, 2), WAKE(11, 2),
		SWITCH(11, 0, 2, 'R')};
	struct trace t = by_hand(events, 10, 12 * MS);
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *s = trace_stats_of(&a, &t);

	(void)state;
	events[8].t_ns = 10 * MS + 100000;
	events[9].t_ns = 10 * MS + 200000;
	s = trace_stats_of(&a, &t);
	/* The first wake starts it; one of a task that runs is none; the second of two changes nothing. */
	assert_int_equal(s->tasks[0].waits.n, 2);
	assert_int_equal(s->tasks[0].waits.q_ns[0], 200000);
	assert_int_equal(s->tasks[0].waits.q_ns[TRACE_QUANTILES - 1], 3 * MS);
	assert_int_equal(s->tasks[0].waits.under_ppm, 500000);
	assert_int_equal(s->tasks[0].waits.mean_ns, 1600000);
	arena_free(&block);
}

static void statistics_survive_their_file(void **state)
{
	struct trace_event events[] = {
		SWITCH(0, 0, 2, 'R'), SWITCH(4, 2, 3, 'R'), SWITCH(8, 3, 2, 'R'), SWITCH(12, 2, 3, 'R')};
	struct trace t = by_hand(events, 4, 20 * MS);
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct buf once, twice;

	(void)state;
	t.scenario = STR("task a: run\n");
	t.steal_ns = RUN_NULL;
	once = buf_new(&a);
	trace_stats_write(trace_stats_of(&a, &t), &once);
	struct trace_stats_result r = trace_stats_read(&a, buf_str(&once));
	assert_null(r.error.code);
	assert_int_equal(r.stats->tasks[0].runs.q_ns[TRACE_Q50], 4 * MS);
	assert_int_equal(r.stats->steal_ns, RUN_NULL);
	assert_int_equal(r.stats->turns[1 * 3 + 2], 2);
	twice = buf_new(&a);
	trace_stats_write(r.stats, &twice);
	assert_true(str_eq(buf_str(&once), buf_str(&twice)));
	/* Refused: a row too few, quantiles out of order. */
	struct str text = buf_str(&once);
	assert_null(trace_stats_read(&a, str_slice(text, 0, text.len - 1)).stats);
	ptrdiff_t at = str_find(text, STR("\"turns\":[[0,1,0],"));
	assert_true(at > 0);
	struct buf cut = buf_new(&a);
	buf_add(&cut, str_slice(text, 0, at));
	buf_add(&cut, STR("\"turns\":["));
	buf_add(&cut, str_from(text, at + 17));
	assert_string_equal(trace_stats_read(&a, buf_str(&cut)).error.code, "values_count");
	arena_free(&block);
}

static void sorting_sorts(void **state)
{
	int64_t v[200];
	uint32_t dice = 7;

	(void)state;
	for (int n = 0; n < 200; n++) {
		for (int i = 0; i < n; i++) {
			dice = dice * 1664525 + 1013904223;
			v[i] = dice >> 24;
		}
		trace_sort(v, n);
		for (int i = 1; i < n; i++)
			assert_true(v[i - 1] <= v[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_written_again),
		cmocka_unit_test(an_inferred_switch_stays_one),
		cmocka_unit_test(refusals_name_field_and_rule),
		cmocka_unit_test(small_memory_is_an_error),
		cmocka_unit_test(shares_runs_and_turns),
		cmocka_unit_test(strangers_do_not_cut_runs),
		cmocka_unit_test(a_switch_that_was_lost_spoils_only_its_run),
		cmocka_unit_test(waits_are_from_wake_to_run),
		cmocka_unit_test(statistics_survive_their_file),
		cmocka_unit_test(sorting_sorts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
