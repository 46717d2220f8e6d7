/* The probes of tasks and locks on short windows: counts and shares that must hold on any kernel, however busy the machine
 * is; times decide nothing. And what they are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "probe/crew.h"
#include "probe/gil.h"
#include "probe/harness.h"
#include "probe/walk.h"
#include "probe_case.h"

/* clone(2): what each flag shares; CLONE_VFORK makes the maker wait. */
static void flags_share_what_the_manual_says(void **state)
{
	static const char *const metrics[] = {"memory", "files", "cwd", "handlers", "process", "waits"};
	static const struct {
		const char *name;
		int seen[6];
	} table[] = {
		{"fork", {0, 0, 0, 0, 0, 0}},
		{"files", {0, 1, 0, 0, 0, 0}},
		{"fs", {0, 0, 1, 0, 0, 0}},
		{"vm", {1, 0, 0, 0, 0, 0}},
		{"vm-sighand", {1, 0, 0, 1, 0, 0}},
		{"vm-fs-files-sighand", {1, 1, 1, 1, 0, 0}},
		{"vfork-alone", {0, 0, 0, 0, 0, 1}},
		{"vfork", {1, 0, 0, 0, 0, 1}},
		{"pthread", {1, 1, 1, 1, 1, 0}},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct probe_cell *c = measured("clone-flags", table[i].name);
		assert_int_equal(c->status, RUN_OK);
		assert_int_equal(value(c, "clone-flags", "accepted"), 1);
		for (int m = 0; m < 6; m++)
			if (value(c, "clone-flags", metrics[m]) != table[i].seen[m])
				fail_msg("%s: %s is not %d", table[i].name, metrics[m], table[i].seen[m]);
	}
	(void)state;
}

static void flags_that_do_not_fit_are_refused(void **state)
{
	static const char *const names[] = {"sighand", "thread", "vm-thread", "sighand-thread"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured("clone-flags", names[i]);
		assert_int_equal(value(c, "clone-flags", "accepted"), 0);
		assert_int_equal(value(c, "clone-flags", "error"), EINVAL);
		assert_int_equal(value(c, "clone-flags", "wall"), RUN_NULL);
	}
	(void)state;
}

static void threads_are_what_shares_the_cpu(void **state)
{
	const struct probe_cell *c = measured("thread-shares", "1-3");

	if (value(c, "thread-shares", "share-many") == RUN_NULL) {
		assert_true(c->cause[0] && c->remedy[0]);
		skip();
	}
	assert_within("three threads of four", value(c, "thread-shares", "share-many"), 600000, 900000);
	assert_within("each", value(c, "thread-shares", "per-thread"), 200000, 300000);
	(void)state;
}

static void a_fork_beside_memory_is_timed(void **state)
{
	const int64_t bytes = INT64_C(16) << 20;
	const struct probe_cell *c = measured("create-rss", "16m");

	if (c->status != RUN_SKIPPED) {
		assert_true(value(c, "create-rss", "wall") > 0);
		assert_int_equal(value(c, "create-rss", "huge"), 0);
		/* Eight bytes a page at least. */
		assert_true(value(c, "create-rss", "tables") >= bytes / 4096 * 8);
	}
	c = measured("create-rss", "64m-huge");
	if (c->status != RUN_SKIPPED)
		assert_true(value(c, "create-rss", "huge") > 0);
	c = measured("create-rss", "1g");
	assert_int_equal(c->status, RUN_SKIPPED);
	(void)state;
}

static void items_change_hands_once(void **state)
{
	const struct probe_cell *c = measured("handoff", "5us");

	assert_int_equal(c->status, RUN_OK);
	assert_within("switches an item", value(c, "handoff", "switches"), 980, 2000);
	c = measured("handoff", "5us-batch16");
	assert_within("switches an item of a batch", value(c, "handoff", "switches"), 61, 200);
	(void)state;
}

static void a_lone_thread_never_waits_for_its_lock(void **state)
{
	static const char *const names[] = {"mutex-1", "ticket-1"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured("convoy", names[i]);
		assert_int_equal(c->status, RUN_OK);
		assert_true(value(c, "convoy", "rate") > 0);
		assert_int_equal(value(c, "convoy", "voluntary"), 0);
		assert_int_equal(value(c, "convoy", "fairness"), 1000000);
	}
	assert_true(value(measured("convoy", "ticket-2n"), "convoy", "rate") > 0);
	(void)state;
}

static void the_lock_changes_hands(void **state)
{
	const struct probe_cell *c = measured("gil-model", "500us");

	assert_int_equal(c->status, RUN_OK);
	assert_true(value(c, "gil-model", "handoffs") > 0);
	c = measured("gil-model", "5ms-sleeper");
	int64_t p50 = value(c, "gil-model", "p50");
	assert_true(p50 > 0 && p50 <= value(c, "gil-model", "p99"));
	c = measured("gil-model", "5ms-slow-duty");
	assert_within("the slow one's work", value(c, "gil-model", "work2"), 0, 1000000);
	c = measured("gil-model", "100ms");
	assert_int_equal(c->status, RUN_SKIPPED);
	assert_true(str_starts(str_of(c->cause), STR("quick: ")));
	(void)state;
}

/* The tick due first after the call began is late by nearly all of it. */
static void a_call_makes_ticks_late(void **state)
{
	const struct probe_cell *c = measured("event-loop", "one-thread");

	assert_int_equal(c->status, RUN_OK);
	assert_true(value(c, "event-loop", "part") >= 600);
	assert_true(value(c, "event-loop", "p50") <= value(c, "event-loop", "p99"));
	(void)state;
}

static void workers_gain_or_lose(void **state)
{
	const struct probe_cell *c = measured("pool-breakeven", "process-pool-100us");

	assert_int_equal(c->status, RUN_OK);
	double gain = (double)value(c, "pool-breakeven", "alone") / (double)value(c, "pool-breakeven", "item") * 1000;
	assert_within("gain", value(c, "pool-breakeven", "gain"), (int64_t)gain - 1, (int64_t)gain + 1);
	(void)state;
}

static void python_answers_or_is_missing(void **state)
{
	const struct probe_cell *c = measured("python-gil", "5ms");

	if (c->status == RUN_SKIPPED)
		assert_true(c->cause[0] && c->remedy[0]);
	else
		assert_true(value(c, "python-gil", "units") > 0);
	(void)state;
}

static void a_walk_visits_every_node_once(void **state)
{
	static _Alignas(4096) char memory[64 * 4096];
	static const struct walk_size sizes[] = {{1, WALK_LINE}, {2, WALK_LINE}, {1000, WALK_LINE}, {64, 4096}};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_true(walk_bytes(sizes[i]) <= sizeof memory);
		struct walk_node *first = walk_build(memory, sizes[i], i), *at = first;
		walk_dirty(first);
		for (int64_t n = 0; n < sizes[i].nodes; n++, at = at->next)
			assert_int_equal(at->visits, 1);
		assert_ptr_equal(at, first);
	}
	assert_null(walk_build(memory, (struct walk_size){0, WALK_LINE}, 1));
	walk(NULL);
	(void)state;
}

static void a_quantile_is_a_value(void **state)
{
	int64_t values[] = {40, 10, 30, 20};

	assert_int_equal(values_quantile(values, 4, 500), 20);
	assert_int_equal(values_quantile(values, 4, 990), 40);
	assert_int_equal(values_quantile(values, 4, 0), 10);
	assert_int_equal(values_quantile(values, 0, 500), RUN_NULL);
	(void)state;
}

struct taker {
	struct crew *crew;
	struct gil *gil;
	int me, others_min; /* fewest changes of the holder over a drop that was asked for */
};

static void *take_turns(void *arg)
{
	struct taker *t = arg;

	crew_gate(t->crew);
	gil_take(t->gil, t->me);
	while (!crew_stopped(t->crew)) {
		spin_work(100);
		if (!gil_asked(t->gil))
			continue;
		int64_t before = t->gil->handoffs;
		gil_drop(t->gil, t->me);
		gil_take(t->gil, t->me);
		int changes = (int)(t->gil->handoffs - before);
		t->others_min = changes < t->others_min ? changes : t->others_min;
	}
	gil_drop(t->gil, t->me);
	return NULL;
}

/* Who was asked and is forced sees two changes at least before it holds the lock again: the other's and its own. */
static void forced_hand_over_lets_the_other_in(void **state)
{
	static struct gil gil;
	static struct crew crew;
	struct taker takers[2] = {{&crew, &gil, 1, 1000}, {&crew, &gil, 2, 1000}};

	assert_int_equal(gil_open(&gil, 200000, true), 0);
	assert_int_equal(crew_start(&crew, 2, take_turns, takers, sizeof *takers), 0);
	crew_open(&crew);
	clock_sleep(50000000);
	crew_join(&crew);
	for (int i = 0; i < 2; i++)
		assert_true(takers[i].others_min >= 2);
	assert_true(gil.handoffs >= 2);
	gil_close(&gil);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_share_what_the_manual_says),
		cmocka_unit_test(flags_that_do_not_fit_are_refused),
		cmocka_unit_test(threads_are_what_shares_the_cpu),
		cmocka_unit_test(a_fork_beside_memory_is_timed),
		cmocka_unit_test(items_change_hands_once),
		cmocka_unit_test(a_lone_thread_never_waits_for_its_lock),
		cmocka_unit_test(the_lock_changes_hands),
		cmocka_unit_test(a_call_makes_ticks_late),
		cmocka_unit_test(workers_gain_or_lose),
		cmocka_unit_test(python_answers_or_is_missing),
		cmocka_unit_test(a_walk_visits_every_node_once),
		cmocka_unit_test(a_quantile_is_a_value),
		cmocka_unit_test(forced_hand_over_lets_the_other_in),
	};

	env_read(&env, true, 5);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
