/* Reported figures: exact numbers, errors in their place, one import a source and machine, apart from what was measured. */
#include "store_fixture.h"

#include <string.h>

#include "store/reference.h"

#define HEADER "source,machine,kind,label,unit,min,median,max,n,key,note\n"

static struct reference read_text(struct fixture *f, struct str text, struct diag *d)
{
	*d = diag_new(&f->a);
	return reference_read(&f->a, d, (struct pos){STR("r.csv"), 1, 1}, text);
}

static enum store_result put_text(struct fixture *f, struct store *s, const char *text)
{
	struct diag d;
	struct reference r = read_text(f, str_of(text), &d);

	if (!r.ok)
		fail_msg("%d: %.*s", d.items->at.line, STR_FMT(d.items->text));
	return store_put_reference(s, &r, str_of(text), f->a);
}

static const char shares[] = HEADER "paper,vm,measured,\"nice: ten, share\",ppm,,902400,,,nice/0-10,\n"
				    "paper,vm,measured,\"fork\",ns,100,1270.5,1500,5,create/fork:wall,\n"
				    "paper,,documented,a manual's,count,1,,99,,,\n";

static void numbers_are_exact(void **state)
{
	struct fixture *f = *state;
	struct diag d;
	struct reference r = read_text(f, str_of(shares), &d);
	static const struct {
		struct reference_number v;
		enum run_unit unit;
		double natural;
		const char *text;
	} cases[] = {
		{{902400, 0, true}, RUN_UNIT_PPM, 0.9024, "90.24\u00a0%"},
		{{60138, 1, true}, RUN_UNIT_NS, 6013.8, "6.0138\u00a0\u00b5s"},
		{{417, 1, true}, RUN_UNIT_NS, 41.7, "41.7\u00a0ns"},
		{{1967000000, 0, true}, RUN_UNIT_NS, 1967000000, "1.967\u00a0s"},
		{{1062, 0, true}, RUN_UNIT_MILLI, 1.062, "1.062"},
		{{-11, 0, true}, RUN_UNIT_COUNT, -11, "\u221211"},
		{{30519, 0, true}, RUN_UNIT_COUNT, 30519, "30\u202f519"},
		{{0, 0, true}, RUN_UNIT_NS, 0, "0\u00a0ns"},
		{{131072, 0, true}, RUN_UNIT_BYTES, 131072, "131\u202f072\u00a0bytes"},
	};

	assert_true(r.ok);
	assert_int_equal(r.n_rows, 3);
	assert_true(reference_natural(r.rows[0].median, r.rows[0].unit) == 0.9024);
	assert_true(isnan(reference_natural(r.rows[0].min, r.rows[0].unit)));
	assert_true(str_eq(r.rows[1].key, STR("create/fork"))); /* the default metric left out */
	assert_int_equal(r.rows[1].n, 5);
	assert_false(r.rows[2].on_machine);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(reference_natural(cases[i].v, cases[i].unit) == cases[i].natural);
		assert_string_equal(str_z(&f->a, reference_text(&f->a, cases[i].v, cases[i].unit)), cases[i].text);
	}
	assert_int_equal(reference_text(&f->a, (struct reference_number){0}, RUN_UNIT_NS).len, 0);
}

static void errors_have_places(void **state)
{
	static const struct {
		const char *rows;
		int line, col;
		const char *says;
	} bad[] = {
		{"p,m,guessed,x,ns,,1,,,,\n", 2, 5, "measured, derived or documented"},
		{"p,m,measured,x,us,,1,,,,\n", 2, 16, "ns, count, bytes, ppm or milli"},
		{"p,m,measured,x,ns,,1e3,,,,\n", 2, 20, "plain decimal"},
		{"p,m,measured,x,ns,,1.,,,,\n", 2, 20, "plain decimal"},
		{"p,m,measured,x,ns,,1234567890123456,,,,\n", 2, 20, "15 digits"},
		{"p,m,measured,x,ns,3,2,,,,\n", 2, 21, "outside min and max"},
		{"p,m,measured,x,ns,,,,,,\n", 2, 20, "give a number"},
		{"p,m,measured,,ns,,1,,,,\n", 2, 14, "say what"},
		{"p,m,measured,x,ns,,1,,0,,\n", 2, 23, "number of passes"},
		{"p,m,measured,x,ns,,1,,,create/frok,\n", 2, 24, "did you mean create/fork"},
		{"p,m,measured,x,ppm,,1,,,create/fork,\n", 2, 25, "its values are in ns"},
		{"p,,measured,x,ns,,1,,,create/fork,\n", 2, 23, "needs a machine"},
		{"p,m,measured,x,ns,1,,,,create/fork,\n", 2, 24, "needs a machine and a median"},
		{"p,m,measured,x,ns,,1,,,create/fork,\np,m,measured,y,ns,,1,,,create/fork:wall,\n", 3, 24, "twice"},
		{"p,m,measured,x,ns,,1,,,,\nq,m,measured,x,ns,,1,,,,\n", 3, 1, "one source"},
		{"p,m,measured,x,ns,,1,,,,\np,k,measured,x,ns,,1,,,,\n", 3, 3, "one machine"},
		{"P q,m,measured,x,ns,,1,,,,\n", 2, 1, "lower case"},
		{"p,../m,measured,x,ns,,1,,,,\n", 2, 3, "lower case"},
		{"", 1, 1, "no row"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diag d;
		struct reference r = read_text(f, str_printf(&f->a, "%s%s", HEADER, bad[i].rows), &d);
		assert_false(r.ok);
		assert_int_equal(d.errors, 1);
		if (d.items->at.line != bad[i].line || d.items->at.col != bad[i].col || str_find(d.items->text, str_of(bad[i].says)) < 0)
			fail_msg("%zu: %d:%d: %.*s", i, d.items->at.line, d.items->at.col, STR_FMT(d.items->text));
	}
	struct diag d;
	assert_false(read_text(f, STR("a,b\n1,2\n"), &d).ok);
	assert_int_equal(d.errors, 1);
}

static void measured_stay_apart(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store_note *notes;

	put(f, s, &r, "local");
	const char *key = str_z(&f->a, run_machine_key(&f->a, r.run));
	assert_int_equal(put_text(f, s, shares), STORE_OK);
	bind_ok(s, key);
	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	assert_string_equal(ask(f, s, "(SELECT count(*) FROM summary)"), "1");
	assert_string_equal(ask(f, s, "(SELECT count(*) FROM all_cells WHERE machine = 'vm')"), "0"); /* not listed as public */
	store_notes_take(s, &f->a, &notes);
	assert_true(ask_num(f, s, "reported('create/fork')") == 1270.5);
	assert_true(ask_num(f, s, "reported('create/fork:wall', 'paper')") == 1270.5);
	assert_int_equal(store_notes_take(s, &f->a, &notes), 1);
	assert_string_equal(str_z(&f->a, notes->probe), "create");
	assert_string_equal(ask(f, s, "reported('create/vfork')"), "NULL");
	assert_string_equal(ask(f, s, "reported('create/fork', 'another')"), "NULL");
	assert_non_null(strstr(ask(f, s, "reported('create/frok')"), "did you mean create/fork"));
	assert_string_equal(ask(f, s, "(SELECT source || ' ' || machine || ' ' || label || ' ' || n FROM reported_cells WHERE key = 'nice/0-10')"),
		"paper vm nice 0 beside nice 10 0");
	/* A second machine with the same figure: the author must say which. */
	assert_int_equal(put_text(f, s, HEADER "paper,pc,measured,fork,ns,,900,,,create/fork,\n"), STORE_OK);
	assert_non_null(strstr(ask(f, s, "reported('create/fork')"), "name one"));
	assert_true(ask_num(f, s, "reported('create/fork', 'pc')") == 900);
	store_close(s);
}

/* Whatever order SQLite joins in, only what the query shows was read. */
static void only_the_bound_are_noted(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);
	struct store_note *notes;
	struct grid g;
	struct store_query_error err;
	static const char nice[] = "[{\"case\":\"0-10\",\"status\":\"ok\",\"metrics\":{\"share1\":{\"unit\":\"ppm\",\"values\":[903000,902000,903000,903000,null]}}}]";
	struct run_result r = sketch_run(f, (struct sketch){.cases = nice, .probe = "nice", .version = probe_info_find(STR("nice"))->version});

	put(f, s, &r, "local");
	put_text(f, s, shares);
	assert_true(store_put_label(s, STR("vm"), STR("Theirs"), true, STR("reported")));
	bind_ok(s, str_z(&f->a, run_machine_key(&f->a, r.run)));
	assert_true(store_query(s, STR("WITH pair(case_id, a, b) AS (VALUES ('0-0', 0, 0), ('0-10', 0, 10))"
				       " SELECT s.label, s.median, s.min, s.n FROM pair"
				       " JOIN summary AS s ON s.probe = 'nice' AND s.case_id = pair.case_id AND s.metric = 'share1'"
				       " JOIN kernel_weight AS wa ON wa.nice = pair.a JOIN kernel_weight AS wb ON wb.nice = pair.b"
				       " WHERE s.median IS NOT NULL ORDER BY s.ord"), 10, &f->a, &g, &err));
	assert_int_equal(g.rows, 1);
	assert_int_equal(store_notes_take(s, &f->a, &notes), 1);
	store_close(s);
}

static void medians_only(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);

	put_text(f, s, shares);
	bind_ok(s, "vm");
	assert_true(ask_num(f, s, "med('nice/0-10')") == 0.9024);
	assert_true(ask_num(f, s, "lo('create/fork')") == 100 && ask_num(f, s, "hi('create/fork')") == 1500);
	assert_string_equal(ask(f, s, "lo('nice/0-10')"), "NULL");
	assert_string_equal(ask(f, s, "noise('nice/0-10')"), "NULL");
	assert_int_equal(store_key_passes(s, STR("nice/0-10")), 0);
	store_set_pass(s, 4); /* whatever the pass, the median stands */
	assert_true(ask_num(f, s, "med('nice/0-10') BETWEEN 0.9 AND 0.91") == 1);
	assert_string_equal(rows(f, s, "SELECT kind, label FROM machine"), "reported|vm\n");
	store_close(s);
}

static const char imports[] = "SELECT machine, (SELECT count(*) FROM cell WHERE run = r.id) FROM run r ORDER BY machine";

static void newest_replaces(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);
	static const char changed[] = HEADER "paper,vm,measured,nice,ppm,,903000,,,nice/0-10,\n";
	static const char other[] = HEADER "blog,vm,measured,nice,ppm,,910000,,,nice/0-5,\n";

	assert_int_equal(put_text(f, s, shares), STORE_OK);
	assert_int_equal(put_text(f, s, shares), STORE_DUPLICATE);
	assert_string_equal(rows(f, s, imports), "vm|2\n");
	assert_int_equal(put_text(f, s, changed), STORE_OK);
	assert_string_equal(rows(f, s, imports), "vm|1\n");
	assert_int_equal(put_text(f, s, other), STORE_OK);
	assert_string_equal(rows(f, s, imports), "vm|1\nvm|1\n");
	assert_int_equal(put_text(f, s, shares), STORE_OK); /* back again */
	assert_string_equal(rows(f, s, "SELECT key FROM cell ORDER BY key"), "create/fork\nnice/0-10\nnice/0-5\n");
	struct str kept = str_of(other);
	assert_true(store_keep_references(s, &kept, 1, f->a));
	assert_string_equal(rows(f, s, "SELECT key FROM cell"), "nice/0-5\n");
	assert_true(store_keep_references(s, NULL, 0, f->a));
	assert_string_equal(rows(f, s, "SELECT key FROM cell"), "");
	store_close(s);
}

static void measured_machine_is_refused(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});

	put(f, s, &r, "imported");
	struct str key = run_machine_key(&f->a, r.run);
	assert_int_equal(put_text(f, s, str_z(&f->a, str_printf(&f->a, "%sp,%.*s,measured,x,ns,,1,,,,\n", HEADER, STR_FMT(key)))), STORE_ERROR);
	assert_true(str_find(store_error(s), STR("was measured")) >= 0);
	assert_string_equal(rows(f, s, "SELECT origin FROM run"), "imported\n");
	store_close(s);
}

static void constants_are_a_table(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);

	assert_int_equal(put_text(f, s, "name,unit,value,kernel,file,note\nslice,ns,700000,from 6.15,fair.c,\nslice,ns,750000,6.6 to 6.14,fair.c,x\n"),
		STORE_OK);
	bind_ok(s, "");
	assert_string_equal(ask(f, s, "(SELECT value || ' ' || unit || ' ' || file FROM kernel_constant WHERE name = 'slice' AND kernel = 'from 6.15')"),
		"700000.0 ns fair.c");
	assert_string_equal(ask(f, s, "(SELECT count(*) FROM reported_cells)"), "0");
	store_close(s);
}

static void derived_again(void **state)
{
	static const char all[] = "SELECT * FROM cell ORDER BY run, probe, case_id, metric";
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);
	struct diag d = diag_new(&f->a);

	put_text(f, s, shares);
	const char *cells = rows(f, s, all);
	assert_true(store_verify(s, &d, f->a));
	assert_true(store_exec(s, "UPDATE cell SET median = 7", NULL, 0));
	assert_false(store_verify(s, &d, f->a));
	assert_true(store_rebuild(s, f->a));
	assert_string_equal(rows(f, s, all), cells);
	assert_true(store_exec(s, "UPDATE run SET canon = CAST(replace(CAST(canon AS TEXT), '902400', '902401') AS BLOB)", NULL, 0));
	assert_false(store_verify(s, &d, f->a));
	assert_false(store_rebuild(s, f->a));
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(numbers_are_exact, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(errors_have_places, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(measured_stay_apart, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(only_the_bound_are_noted, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(medians_only, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(newest_replaces, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(measured_machine_is_refused, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(constants_are_a_table, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(derived_again, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
