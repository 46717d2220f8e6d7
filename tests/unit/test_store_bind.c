/* What a bound machine shows: which run stands for it, what med() and its kin give, where numbers come from. */
#include "store_fixture.h"

#include <string.h>

/* The current rule: one table of cases, one run each, and the median of fork that must stand. */
struct contender {
	const char *origin, *flags;
	int ns, version;
	int64_t created_ms;
	bool quick;
};

static double current_of(struct fixture *f, const struct contender *c, int n)
{
	struct store *s = open_store(f, STORE_WRITE);
	struct str machine = {0};

	/* Both orders of import must give the same. */
	double medians[2];
	for (int order = 0; order < 2; order++) {
		for (int i = 0; i < n; i++) {
			const struct contender *one = &c[order ? n - 1 - i : i];
			struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, one->ns),
								    .version = one->version,
								    .created_ms = one->created_ms,
								    .quick = one->quick});
			r.flags = str_of(one->flags);
			machine = run_machine_key(&f->a, r.run);
			put(f, s, &r, one->origin);
		}
		assert_true(store_bind(s, machine));
		medians[order] = ask_num(f, s, "med('create/fork')");
		assert_true(store_exec(s, "DELETE FROM cell", NULL, 0) && store_exec(s, "DELETE FROM run", NULL, 0));
	}
	store_close(s);
	assert_true((isnan(medians[0]) && isnan(medians[1])) || medians[0] == medians[1]);
	return medians[0];
}

static void current_run(void **state)
{
	static const struct {
		const char *why;
		struct contender c[3];
		double median;
	} rules[] = {
		{"newest",
			{{"committed", "", 1000, 1, 1700000000000, false},
				{"committed", "", 2000, 1, 1700000000001, false}},
			2020},
		{"full before newest quick",
			{{"committed", "", 1000, 1, 1700000000000, false},
				{"committed", "", 2000, 1, 1700000000001, true}},
			1020},
		{"local before full and newest",
			{{"local", "", 1000, 1, 1700000000000, true}, {"committed", "", 2000, 1, 1700000000001, false}},
			1020},
		{"flagged never",
			{{"local", "bad_clock", 1000, 1, 1700000000009, false},
				{"imported", "", 2000, 1, 1700000000001, true}},
			2020},
		{"submitted never",
			{{"submitted", "", 1000, 1, 1700000000009, false},
				{"imported", "", 2000, 1, 1700000000001, true}},
			2020},
		{"another version never",
			{{"local", "", 1000, 2, 1700000000009, false}, {"imported", "", 2000, 1, 1700000000001, true}},
			2020},
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		double median = current_of(*state, rules[i].c, 2);
		if (median != rules[i].median)
			fail_msg("%s: %g", rules[i].why, median);
	}
	static const struct contender hidden[] = {{"submitted", "", 1000, 1, 1700000000000, false}};
	assert_true(isnan(current_of(*state, hidden, 1)));
}

/* A run whose cases of a probe were all skipped stands for nothing. */
static void skipped_only_is_not_current(void **state)
{
	struct fixture *f = *state;
	struct run_result good = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct run_result bad =
		sketch_run(f, (struct sketch){.cases = "[{\"case\":\"fork\",\"status\":\"skipped\",\"cause\":\"x\"}]",
				      .created_ms = 1800000000000});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &good, "local");
	put(f, s, &bad, "local");
	assert_true(store_bind(s, run_machine_key(&f->a, good.run)));
	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	store_close(s);
}

/* Probes are chosen apart; within one nothing is pooled. */
static void never_pooled(void **state)
{
	struct fixture *f = *state;
	struct run_result a = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct run_result b = sketch_run(
		f, (struct sketch){.created_ms = 1800000000000,
			   .cases = "[{\"case\":\"vfork\",\"status\":\"ok\",\"metrics\":{\"wall\":{\"unit\":\"ns\","
				    "\"values\":[50,50,50,50,50]}}}]"});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &a, "local");
	put(f, s, &b, "local");
	assert_true(store_bind(s, run_machine_key(&f->a, a.run)));
	assert_string_equal(ask(f, s, "med('create/fork')"), "NULL");
	assert_string_equal(ask(f, s, "med('create/vfork')"), "50");
	store_close(s);
}

static const char switch_cases[] =
	"[{\"case\":\"pipe-thread-same\",\"status\":\"ok\",\"metrics\":{"
	"\"handoff\":{\"unit\":\"ns\",\"values\":[1500,1400,1600,1500,1700]},"
	"\"switches\":{\"unit\":\"milli\",\"values\":[2000,2001,1999,2000,null]}}},"
	"{\"case\":\"pipe-thread-cross\",\"status\":\"skipped\",\"cause\":\"one CPU\",\"try\":\"two\"},"
	"{\"case\":\"aa\",\"twin\":\"pipe-thread-same\",\"status\":\"ok\",\"metrics\":{"
	"\"handoff\":{\"unit\":\"ns\",\"values\":[1500,1550,1600,1500,1700]}}}]";

static struct store *measured(struct fixture *f)
{
	struct run_result fork = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct run_result sw = sketch_run(f,
		(struct sketch){.probe = "switch", .cases = switch_cases, .quick = true, .created_ms = 1700000001000});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &fork, "local");
	put(f, s, &sw, "local");
	assert_true(store_set_local_machine(s, run_machine_key(&f->a, fork.run)));
	bind_ok(s, "");
	return s;
}

static void looking_up(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);

	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	assert_string_equal(ask(f, s, "med('create/fork:wall')"), "1020");
	assert_string_equal(ask(f, s, "lo('create/fork')"), "1000");
	assert_string_equal(ask(f, s, "hi('create/fork')"), "1040");
	assert_string_equal(ask(f, s, "med('switch/pipe-thread-same:switches')"), "2");
	assert_string_equal(ask(f, s, "hi('switch/pipe-thread-same:switches')"), "2.001");
	/* 10 % of the median; the twin of `switch` repeats another metric only, `create` has no twin. */
	assert_string_equal(ask(f, s, "noise('switch/pipe-thread-same')"), "150");
	assert_string_equal(ask(f, s, "noise('switch/pipe-thread-same:switches')"), "NULL");
	assert_string_equal(ask(f, s, "noise('create/fork')"), "NULL");
	/* Known, but not measured: skipped, absent, absent metric. */
	assert_string_equal(ask(f, s, "med('switch/pipe-thread-cross')"), "NULL");
	assert_string_equal(ask(f, s, "med('create/vfork')"), "NULL");
	assert_string_equal(ask(f, s, "med('nice/0-10:share2')"), "NULL");
	assert_string_equal(ask(f, s, "med(NULL)"), "NULL");
	assert_string_equal(ask(f, s, "1 + med('create/frok')"),
		"error at 9: unknown measurement 'create/frok'; did you mean 'create/fork'?");
	assert_string_equal(ask(f, s, "med('')"), "error at -1: unknown measurement ''; `runq probe list` shows all");
	assert_non_null(strstr(ask(f, s, "med('switch/aa')"), "unknown measurement"));
	store_close(s);
}

static void pass_by_pass(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);

	assert_int_equal(store_key_passes(s, STR("create/fork")), 5);
	assert_int_equal(store_key_passes(s, STR("create/vfork")), 0);
	store_set_pass(s, 1);
	assert_string_equal(ask(f, s, "med('create/fork')"), "1010");
	assert_string_equal(ask(f, s, "lo('create/fork')"), "1010");
	assert_string_equal(ask(f, s, "hi('create/fork')"), "1010");
	assert_string_equal(ask(f, s, "med('switch/pipe-thread-same:switches')"), "2.001");
	assert_string_equal(ask(f, s, "noise('switch/pipe-thread-same')"), "140");
	store_set_pass(s, 4);
	assert_string_equal(ask(f, s, "med('switch/pipe-thread-same:switches') > 1"), "NULL");
	store_set_pass(s, 5);
	assert_string_equal(ask(f, s, "med('create/fork')"), "NULL");
	store_set_pass(s, -1);
	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	/* Without values per pass the statistics stand at any pass. */
	assert_true(store_exec(s, "UPDATE cell SET vals = NULL WHERE probe = 'create'", NULL, 0));
	bind_ok(s, "");
	store_set_pass(s, 3);
	assert_string_equal(ask(f, s, "med('create/fork') || ' ' || hi('create/fork')"), "1020.0 1040.0");
	assert_int_equal(store_key_passes(s, STR("create/fork")), 0);
	store_close(s);
}

static const char *notes(struct fixture *f, struct store *s)
{
	struct store_note *n;
	struct buf b = buf_new(&f->a);
	ptrdiff_t count = store_notes_take(s, &f->a, &n);

	for (ptrdiff_t i = 0; i < count; i++)
		buf_printf(&b, "%lld %.*s/%.*s %d %d;", (long long)n[i].run, STR_FMT(n[i].probe), STR_FMT(n[i].case_id),
			n[i].quick, (int)n[i].id_hex.len);
	return str_z(&f->a, buf_str(&b));
}

static void provenance(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);
	struct store_query_error err;
	struct grid g;

	assert_string_equal(notes(f, s), "");
	ask(f, s, "us(med('create/fork'))");
	assert_string_equal(notes(f, s), "1 create/fork 0 64;");
	assert_string_equal(notes(f, s), "");
	/* Twice the same statement: the second must note too. */
	ask(f, s, "us(med('create/fork'))");
	assert_string_equal(notes(f, s), "1 create/fork 0 64;");
	ask(f, s, "med('create/vfork')");
	assert_string_equal(notes(f, s), "");
	/* In ascending order, however asked. */
	ask(f, s, "med('switch/pipe-thread-same') / lo('create/fork')");
	assert_string_equal(notes(f, s), "1 create/fork 0 64;2 switch/pipe-thread-same 1 64;");
	assert_true(store_query(s, STR("SELECT label, median FROM summary WHERE probe = 'switch' ORDER BY median"), 10,
		&f->a, &g, &err));
	assert_string_equal(notes(f, s), "2 switch/pipe-thread-same 1 64;");
	assert_true(store_query(s, STR("SELECT avg(x) FROM (SELECT max AS x FROM all_cells)"), 10, &f->a, &g, &err));
	assert_string_equal(notes(f, s), "1 create/fork 0 64;2 switch/pipe-thread-same 1 64;");
	/* Another case of the same run: the case is left open. */
	assert_true(store_query(s, STR("SELECT n FROM summary WHERE probe = 'switch'"), 10, &f->a, &g, &err));
	assert_string_equal(notes(f, s), "2 switch/ 1 64;");
	assert_true(store_query(s, STR("SELECT label FROM summary"), 10, &f->a, &g, &err));
	assert_string_equal(notes(f, s), "");
	store_close(s);
}

static void the_views(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);

	assert_string_equal(
		rows(f, s,
			"SELECT run, probe, case_id, metric, key, label, unit, status, cause, try, n, min, median, max,"
			" mad, quick FROM summary ORDER BY ord, metric"),
		"1|create|fork|wall|create/fork|fork, wait|ns|ok|NULL|NULL|5|1000|1020|1040|10|0\n"
		"2|switch|pipe-thread-same|handoff|switch/pipe-thread-same|pipe, threads, same "
		"CPU|ns|ok|NULL|NULL|5|1400|1500|1700|100|1\n"
		"2|switch|pipe-thread-same|switches|switch/pipe-thread-same:switches|pipe, threads, same "
		"CPU|ratio|ok|NULL|NULL|4|1.999|2|"
		"2.001|0.0005|1\n"
		"2|switch|pipe-thread-cross|handoff|switch/pipe-thread-cross|pipe, threads, two CPUs|ns|skipped|one "
		"CPU|two|0|NULL|NULL|NULL|"
		"NULL|1\n");
	assert_string_equal(rows(f, s, "SELECT key, pass, value FROM sample WHERE metric = 'switches'"),
		"switch/pipe-thread-same:switches|1|2\nswitch/pipe-thread-same:switches|2|2.001\n"
		"switch/pipe-thread-same:switches|3|1.999\nswitch/pipe-thread-same:switches|4|2\n");
	assert_string_equal(rows(f, s, "SELECT value FROM fact WHERE name IN ('arch', 'cpus_online') ORDER BY name"),
		"x86_64\n2\n");
	assert_string_equal(rows(f, s,
				    "SELECT count(*), count(DISTINCT machine), min(machine_label), min(machine_kind) "
				    "FROM all_cells"),
		"4|1|Linux 6.18, 2 CPUs, x86-64|measured\n");
	store_close(s);
}

static void histograms_and_spans(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(
		f, (struct sketch){.probe = "nice",
			   .cases = "[{\"case\":\"0-0\",\"status\":\"ok\",\"metrics\":{\"share1\":{\"unit\":\"ppm\","
				    "\"values\":[500000,500001,499999,500000,500000]}},"
				    "\"hists\":{\"turn\":{\"unit\":\"milli\",\"buckets\":[[0,1500,3],[1500,3000,1]]}},"
				    "\"spans\":[[\"a \\\"b\\\"\",0,5,\"running\"],[\"c\",5,9,\"waiting\"]]}]"});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &r, "local");
	assert_true(store_bind(s, run_machine_key(&f->a, r.run)));
	assert_string_equal(rows(f, s, "SELECT key, hist, lo, hi, count FROM bucket"),
		"nice/0-0|turn|0|1.5|3\nnice/0-0|turn|1.5|3|1\n");
	assert_string_equal(rows(f, s, "SELECT key, lane, t0, t1, state FROM span"),
		"nice/0-0|a \"b\"|0|5|running\nnice/0-0|c|5|9|waiting\n");
	assert_string_equal(ask(f, s, "pct(med('nice/0-0'))"), "50.0\xc2\xa0%");
	assert_string_equal(ask(f, s, "hi('nice/0-0')"), "0.500001");
	store_close(s);
}

static void choosing_the_machine(void **state)
{
	struct fixture *f = *state;
	struct run_result a = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct run_result b = sketch_run(f, (struct sketch){.cases = fork_case(f, 2000), .kernel = "6.1.9", .cpus = 1});
	struct str key_a = run_machine_key(&f->a, a.run), key_b = run_machine_key(&f->a, b.run);
	struct store *s = open_store(f, STORE_WRITE);

	/* No machine at all: everything is unmeasured, nothing fails. */
	bind_ok(s, "");
	assert_int_equal(store_machine(s).len, 0);
	assert_string_equal(ask(f, s, "med('create/fork')"), "NULL");
	assert_false(store_bind(s, key_a));
	assert_non_null(strstr(str_z(&f->a, store_error(s)), "runq runs list"));
	put(f, s, &a, "imported");
	put(f, s, &b, "imported");
	bind_ok(s, "");
	assert_int_equal(store_machine(s).len, 0); /* none is public */
	assert_true(store_bind(s, key_a));
	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	assert_string_equal(rows(f, s, "SELECT DISTINCT machine_label FROM all_cells"), "Linux 6.18, 2 CPUs, x86-64\n");
	assert_true(store_put_label(s, key_b, STR("old"), true, STR("emulated")));
	bind_ok(s, "");
	assert_true(str_eq(store_machine(s), key_b));
	assert_string_equal(ask(f, s, "med('create/fork')"), "2020");
	assert_true(store_set_local_machine(s, key_a));
	bind_ok(s, "");
	assert_true(str_eq(store_machine(s), key_a));
	assert_string_equal(rows(f, s, "SELECT machine_label, median FROM all_cells ORDER BY median"),
		"Linux 6.18, 2 CPUs, x86-64|1020\nold|2020\n");
	/* Its own name as argument, and on a read-only connection. */
	assert_true(store_bind(s, store_machine(s)));
	assert_true(str_eq(store_machine(s), key_a));
	store_close(s);
	s = open_store(f, STORE_READ);
	assert_true(store_begin(s));
	bind_ok(s, "");
	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	assert_true(store_commit(s));
	store_close(s);
}

/* A run by itself, in a database of its own: neither newer nor local nor quick matters, the probe's version does. */
static void one_run_alone(void **state)
{
	struct fixture *f = *state;
	enum store_result result;
	struct str why;
	struct store *s = store_open(&f->a, ":memory:", STORE_WRITE, &result, &why);

	assert_non_null(s);
	for (int i = 1; i <= 3; i++) {
		struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, i * 1000), .version = i == 3 ? 99 : 1, .quick = i == 1,
			.created_ms = 1700000000000 + i});
		put(f, s, &r, i == 2 ? "local" : "committed");
	}
	static const double medians[] = {1020, 2020, NAN};
	struct str machine = {0};
	for (int i = 0; i < 3; i++) {
		struct grid g;
		char oldest[] = "SELECT id FROM run ORDER BY created_ms LIMIT 1 OFFSET 0";
		oldest[sizeof oldest - 2] = (char)('0' + i);
		assert_true(store_rows(s, oldest, NULL, 0, &f->a, &g) && g.rows == 1);
		assert_true(store_bind_run(s, (int64_t)g.num[0]));
		machine = str_copy(&f->a, store_machine(s));
		double median = ask_num(f, s, "med('create/fork')");
		assert_true(isnan(medians[i]) ? isnan(median) : median == medians[i]);
	}
	assert_false(store_bind_run(s, 99));
	assert_non_null(strstr(str_z(&f->a, store_error(s)), "no run 99"));
	assert_true(store_bind(s, machine)); /* the usual choice is back */
	assert_string_equal(ask(f, s, "med('create/fork')"), "2020");
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(current_run, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(skipped_only_is_not_current, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(never_pooled, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(looking_up, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(pass_by_pass, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(provenance, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(the_views, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(histograms_and_spans, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(choosing_the_machine, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(one_run_alone, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
