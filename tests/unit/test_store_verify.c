/* What is derived is derived again, equal; what was tampered with is found. */
#include "store_fixture.h"

#include <string.h>

static const char all[] = "SELECT * FROM cell ORDER BY run, probe, case_id, metric";
static const char facts[] = "SELECT * FROM machine_fact ORDER BY machine, name";
static const char machines[] = "SELECT key, label, kind, public FROM machine ORDER BY key";

/* Keys out of order and a metric that is not the default alone, so that only the canonical form can give the same
 * twice. */
static const char odd_cases[] =
	"[{\"case\":\"pipe-thread-same\",\"status\":\"ok\",\"params\":{\"z\":1,\"a\":2},\"metrics\":{"
	"\"switches\":{\"unit\":\"milli\",\"values\":[2000,2001,1999,2000,null]},"
	"\"involuntary\":{\"unit\":\"milli\",\"values\":[0,1,0,0,333]}},"
	"\"hists\":{\"z\":{\"unit\":\"ns\",\"buckets\":[[0,8,3]]},\"a\":{\"unit\":\"ns\",\"buckets\":[[0,8,3]]}}}]";

static struct store *filled(struct fixture *f)
{
	struct store *s = open_store(f, STORE_WRITE);
	struct run_result r[] = {
		sketch_run(f, (struct sketch){.cases = fork_case(f, 1000), .created_ms = 1700000000005}),
		sketch_run(f, (struct sketch){.cases = fork_case(f, 2000), .created_ms = 1700000000001}),
		sketch_run(f, (struct sketch){.cases = odd_cases, .probe = "switch", .kernel = "6.1.2"}),
		sketch_run(f, (struct sketch){.cases = "[{\"case\":\"x\",\"status\":\"failed\",\"cause\":\"because\"}]",
				      .probe = "other"}),
	};

	for (size_t i = 0; i < sizeof r / sizeof *r; i++)
		put(f, s, &r[i], i == 1 ? "submitted" : "imported");
	return s;
}

static void rebuild_gives_the_same(void **state)
{
	struct fixture *f = *state;
	struct store *s = filled(f);
	const char *cells = rows(f, s, all), *known = rows(f, s, facts), *labels = rows(f, s, machines);

	assert_true(store_rebuild(s, f->a));
	assert_string_equal(rows(f, s, all), cells);
	/* From nothing, and from something wrong. */
	assert_true(store_exec(s, "DELETE FROM cell WHERE probe = 'create'", NULL, 0));
	assert_true(store_exec(s, "UPDATE cell SET median = 7, vals = '[1]'", NULL, 0));
	assert_true(store_exec(s, "DELETE FROM machine_fact", NULL, 0));
	assert_true(store_exec(s, "UPDATE machine SET label = 'x'", NULL, 0));
	assert_true(store_rebuild(s, f->a));
	assert_string_equal(rows(f, s, all), cells);
	assert_string_equal(rows(f, s, facts), known);
	assert_string_equal(rows(f, s, machines), labels);
	store_close(s);
}

static void rebuild_touches_nothing_else(void **state)
{
	struct fixture *f = *state;
	struct store *s = filled(f);
	struct store_submission sub = {.student = STR("p"), .lab = STR("x"), .t_ms = 7};

	assert_int_equal(store_put_submission(s, &sub, (struct str){0}), STORE_OK);
	assert_true(store_exec(s, "UPDATE run SET flags = 'suspicious' WHERE id = 1", NULL, 0));
	assert_true(store_put_label(s, STR("some-machine"), STR("Mine"), true, STR("emulated")));
	assert_true(store_rebuild(s, f->a));
	assert_string_equal(rows(f, s,
				    "SELECT (SELECT count(*) FROM attempt), (SELECT flags FROM run WHERE id = 1),"
				    " (SELECT label FROM machine WHERE key = 'some-machine')"),
		"1|suspicious|Mine\n");
	store_close(s);
}

static const char *verdict(struct fixture *f, struct store *s)
{
	struct diag d = diag_new(&f->a);
	struct buf b = buf_new(&f->a);
	bool ok = store_verify(s, &d, f->a);

	assert_true(ok == !d.errors);
	for (const struct diag_item *i = d.items; i; i = i->next)
		buf_add(&b, i->text);
	return str_z(&f->a, buf_str(&b));
}

static void verify_finds(void **state)
{
	struct fixture *f = *state;
	struct store *s = filled(f);

	assert_string_equal(verdict(f, s), "");
	assert_string_equal(verdict(f, s), ""); /* twice: it cleans up */
	assert_true(store_exec(s, "UPDATE cell SET median = median + 1 WHERE run = 1", NULL, 0));
	assert_non_null(strstr(verdict(f, s), "runq db rebuild"));
	assert_true(store_rebuild(s, f->a));
	assert_string_equal(verdict(f, s), "");
	assert_true(store_exec(s,
		"UPDATE run SET canon = CAST(replace(CAST(canon AS TEXT), '1000', '1001') AS BLOB) WHERE id = 1", NULL,
		0));
	assert_non_null(strstr(verdict(f, s), "id is not that of its record"));
	assert_false(store_rebuild(s, f->a));
	assert_true(store_exec(s, "UPDATE run SET canon = CAST('{' AS BLOB) WHERE id = 1", NULL, 0));
	assert_non_null(strstr(verdict(f, s), "restore the database"));
	store_close(s);
	/* On a read-only connection too. */
	s = open_store(f, STORE_READ);
	assert_non_null(strstr(verdict(f, s), "restore the database"));
	store_close(s);
}

/* The facts of a machine are those of its newest run, whatever the order of imports; a student's do not displace
 * them. */
static void facts_of_the_newest(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);
	struct run_result r[3];
	const char *newest = "SELECT num FROM machine_fact WHERE name = 'microcode'";

	for (int i = 0; i < 3; i++) {
		struct run_result plain = sketch_run(
			f, (struct sketch){.cases = fork_case(f, 1000 * (i + 1)), .created_ms = 1700000000000 + i});
		struct str json = plain.canon;
		ptrdiff_t at = str_find(json, STR("\"machine\":{")) + 11;
		struct str with = str_printf(&f->a, "%.*s\"microcode\":%d,%.*s", STR_FMT(str_slice(json, 0, at)), i,
			STR_FMT(str_from(json, at)));
		r[i] = run_validate(&f->a, with);
		assert_non_null(r[i].run);
	}
	put(f, s, &r[1], "imported");
	put(f, s, &r[0], "imported");
	assert_string_equal(rows(f, s, newest), "1\n");
	put(f, s, &r[2], "submitted");
	assert_string_equal(rows(f, s, newest), "1\n");
	assert_int_equal(store_put_run(s, &r[2], "imported", f->a), STORE_DUPLICATE);
	assert_string_equal(rows(f, s, newest), "2\n");
	assert_true(store_rebuild(s, f->a));
	assert_string_equal(rows(f, s, newest), "2\n");
	assert_string_equal(rows(f, s, "SELECT count(*) FROM machine"), "1\n");
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rebuild_gives_the_same, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(rebuild_touches_nothing_else, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(verify_finds, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(facts_of_the_newest, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
