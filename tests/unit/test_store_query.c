/* An author's SQL: what it may do, what it may not, and what it is told. */
#include "store_fixture.h"

#include <string.h>

static struct store *measured(struct fixture *f)
{
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &r, "local");
	assert_true(store_set_local_machine(s, run_machine_key(&f->a, r.run)));
	bind_ok(s, "");
	return s;
}

/* Empty when the query is allowed. */
static const char *refusal(struct fixture *f, struct store *s, const char *sql)
{
	struct store_query_error err;
	struct grid g;

	if (store_query(s, str_of(sql), 100, &f->a, &g, &err))
		return "";
	assert_true(err.text.len > 0 && err.offset >= -1 && err.offset <= (ptrdiff_t)strlen(sql));
	return str_z(&f->a, err.text);
}

static void allowed(void **state)
{
	static const char *const queries[] = {
		"SELECT label, min, median, max FROM summary WHERE probe = 'create' ORDER BY median",
		"SELECT * FROM summary",
		"SELECT * FROM all_cells",
		"SELECT * FROM sample",
		"SELECT * FROM bucket",
		"SELECT * FROM span",
		"SELECT * FROM fact",
		"SELECT count(*) FROM summary",
		"SELECT nice, weight, round(weight * 1.0 / 1024, 3) FROM kernel_weight WHERE nice BETWEEN -2 AND 2;  "
		"-- a comment",
		"WITH x AS (SELECT nice FROM kernel_weight) SELECT count(*) FROM x",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT sum(i) FROM n",
		"SELECT a.label, a.median / b.median FROM summary a JOIN summary b ON b.key = 'create/fork'",
		"SELECT median(value), quantile(value, 0.9), mad(value) FROM sample",
		"SELECT pass, median(value) OVER (ORDER BY pass ROWS 2 PRECEDING) FROM sample",
		"SELECT value FROM json_each('[1,2]')",
		"VALUES (1), (2)",
		"SELECT case_id FROM summary WHERE label LIKE '%fork%'",
		"SELECT printf('%d', 3), coalesce(NULL, 1), substr('abc', 2)",
	};
	struct fixture *f = *state;
	struct store *s = measured(f);

	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		const char *why = refusal(f, s, queries[i]);
		if (*why)
			fail_msg("%s: %s", queries[i], why);
	}
	store_close(s);
}

static void refused(void **state)
{
	static const struct {
		const char *sql, *part;
	} queries[] = {
		{"SELECT * FROM student", "'student' is not for content"},
		{"SELECT count(*) FROM student", "'student' is not for content"},
		{"SELECT count(*) FROM main.student", "'student' is not for content"},
		{"SELECT 1 WHERE EXISTS (SELECT 1 FROM token)", "not for content"},
		{"SELECT hash FROM token", "not for content"},
		{"SELECT student FROM submission", "not for content"},
		{"SELECT reason FROM attempt", "not for content"},
		{"SELECT detail FROM audit", "not for content"},
		{"SELECT value FROM meta", "not for content"},
		{"SELECT canon FROM run", "not for content"},
		{"SELECT median FROM cell", "not for content"},
		{"SELECT label FROM machine", "not for content"},
		{"SELECT slug FROM lab", "not for content"},
		{"SELECT median FROM class_cells", "not for content"},
		{"SELECT run FROM current", "not for content"},
		{"SELECT pseudonym FROM roster", "no such table: roster"},
		{"SELECT sql FROM sqlite_schema", "not for content"},
		{"SELECT sql FROM sqlite_temp_schema", "not for content"},
		{"SELECT count(*) FROM sqlite_master", "not for content"},
		{"SELECT name FROM pragma_table_info('run')", "only SELECT"},
		{"SELECT count(*) FROM pragma_database_list", "only SELECT"},
		{"SELECT sum(pgsize) FROM dbstat", "only SELECT"},
		{"SELECT sql FROM sqlite_stmt", "only SELECT"},
		/* A common table expression may not lend its name. */
		{"WITH summary AS (SELECT pseudonym FROM student) SELECT * FROM summary",
			"'student' is not for content"},
		{"WITH summary AS (SELECT student FROM submission) SELECT * FROM summary", "not for content"},
		{"WITH summary AS (SELECT canon FROM run) SELECT * FROM summary", "not for content"},
		{"WITH summary AS (SELECT count(*) FROM student) SELECT * FROM summary", "not for content"},
		{"DELETE FROM run", "only SELECT"},
		{"INSERT INTO run(id) VALUES (1)", "only SELECT"},
		{"UPDATE machine SET label = 'x'", "only SELECT"},
		{"DROP TABLE run", "only SELECT"},
		{"CREATE TEMP VIEW v AS SELECT 1", "only SELECT"},
		{"PRAGMA user_version = 5", "only SELECT"},
		{"PRAGMA table_info(run)", "only SELECT"},
		{"ATTACH 'x.db' AS x", "only SELECT"},
		{"BEGIN", "only SELECT"},
		{"EXPLAIN SELECT 1", "only SELECT"},
		{"SELECT load_extension('x')", "'load_extension' is no function for content"},
		{"SELECT random()", "may differ from one build to the next"},
		{"SELECT datetime('now')", "'datetime' is no function"},
		{"SELECT CURRENT_TIMESTAMP", "is no function for content"},
		{"SELECT sqlite_version()", "is no function for content"},
		{"SELECT 1; SELECT 2", "one statement only"},
		{"SELECT 1; DELETE FROM run", "one statement only"},
		{"", "no SQL here"},
		{"-- nothing", "no SQL here"},
		{"SELECT ?1", "parameters are not bound"},
		{"SELECT \"text\"", "no such column"},
		{"SELECT label FORM summary", "syntax error"},
		{"SELECT us('12')", "a number is wanted"},
		{"SELECT num(1, 99)", "1 to 15"},
		{"SELECT median('x')", "take numbers"},
		{"SELECT quantile(1, 2)", "from 0 to 1"},
		{"SELECT 1 FROM kernel_weight a, kernel_weight b", "more than 100 rows"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n",
			"more than a second"},
	};
	struct fixture *f = *state;
	struct store *s = measured(f);

	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		const char *why = refusal(f, s, queries[i].sql);
		if (!strstr(why, queries[i].part))
			fail_msg("%s: '%s'", queries[i].sql, why);
	}
	/* Nothing of it left a trace, and the guard does not outlive the query. */
	assert_string_equal(rows(f, s,
				    "SELECT count(*), (SELECT count(*) FROM student), (SELECT user_version FROM "
				    "pragma_user_version)"
				    " FROM run"),
		"1|0|1\n");
	assert_true(store_exec(s, "DELETE FROM attempt", NULL, 0));
	store_close(s);
}

static void errors_have_places(void **state)
{
	static const struct {
		const char *sql;
		ptrdiff_t offset;
	} queries[] = {
		{"SELECT label,\n  medain FROM summary", 16},
		{"SELECT 1 FROM sumary", 14},
		{"SELECT 1 FROM student", 14},
		{"SELECT 1, random()", 10},
		{"SELECT med('create/forl')", 12},
		{"SELECT 1; SELECT 2", 9},
	};
	struct fixture *f = *state;
	struct store *s = measured(f);
	struct store_query_error err;
	struct grid g;

	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		assert_false(store_query(s, str_of(queries[i].sql), 100, &f->a, &g, &err));
		if (err.offset != queries[i].offset)
			fail_msg("%s: %td", queries[i].sql, err.offset);
	}
	assert_string_equal(ask(f, s, "1 + medain"), "error at 4: no such column: medain");
	assert_string_equal(
		ask(f, s, "(1"), "error at 2: a parenthesis or quote without its partner; add or remove one");
	assert_string_equal(ask(f, s, "1) FROM summary WHERE (1"),
		"error at 1: a parenthesis or quote without its partner; add or remove one");
	assert_non_null(strstr(ask(f, s, "1, 2"), "error"));
	store_close(s);
}

static void a_slow_query_leaves_no_harm(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);
	const char *slow = "SELECT count(*) FROM kernel_weight a, kernel_weight b, kernel_weight c, kernel_weight d, "
			   "kernel_weight e";

	for (int i = 0; i < 2; i++)
		assert_non_null(strstr(refusal(f, s, slow), "more than a second"));
	assert_string_equal(ask(f, s, "med('create/fork')"), "1020");
	assert_true(store_exec(s, "DELETE FROM attempt", NULL, 0));
	store_close(s);
}

static void values(void **state)
{
	static const struct {
		const char *expr, *text;
	} cases[] = {
		{"1 + 1", "2"},
		{"2.0", "2"},
		{"0.1 + 0.2", "0.3"},
		{"NULL", "NULL"},
		{"''", ""},
		{"'a -- b'", "a -- b"},
		{"1 -- and a comment", "1"},
		{"ns(15800)", "15\xe2\x80\xaf"
			      "800\xc2\xa0ns"},
		{"us(127000)", "127\xc2\xa0\xc2\xb5s"},
		{"ms(3560000)", "3.56\xc2\xa0ms"},
		{"si(127000)", "127\xc2\xa0\xc2\xb5s"},
		{"pct(0.753)", "75.3\xc2\xa0%"},
		{"times(5.87)", "5.9"},
		{"times(127.3)", "127"},
		{"num(2)", "2.00"},
		{"num(2, 1)", "2"},
		{"us(NULL)", "NULL"},
		{"(SELECT value FROM fact WHERE name = 'hz')", "250"},
		{"(SELECT weight FROM kernel_weight WHERE nice = 10)", "110"},
		{"med('create/fork') BETWEEN 1 AND 2000", "1"},
	};
	struct fixture *f = *state;
	struct store *s = measured(f);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(ask(f, s, cases[i].expr), cases[i].text);
	assert_true(isnan(ask_num(f, s, "'12'")));
	assert_true(isnan(ask_num(f, s, "NULL")));
	assert_true(ask_num(f, s, "3 / 2.0") == 1.5);
	assert_true(isinf(ask_num(f, s, "9e999")));
	store_close(s);
}

static void aggregates(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);

	assert_string_equal(
		rows(f, s,
			"SELECT median(column1), mad(column1), quantile(column1, 0.25), quantile(column1, 1)"
			" FROM (VALUES (4), (NULL), (1), (2), (9))"),
		"3|1.5|1.75|9\n");
	assert_string_equal(rows(f, s, "SELECT median(1) WHERE 0"), "NULL\n");
	assert_string_equal(
		rows(f, s, "SELECT median(nice) OVER (ORDER BY nice ROWS 2 PRECEDING) FROM kernel_weight LIMIT 4"),
		"-20\n-19.5\n-19\n-18\n");
	store_close(s);
}

static void the_grid(void **state)
{
	struct fixture *f = *state;
	struct store *s = measured(f);
	struct store_query_error err;
	struct grid g;

	assert_true(store_query(
		s, STR("SELECT key, median, NULL AS empty, '7' AS seven FROM summary"), 1, &f->a, &g, &err));
	assert_int_equal(g.cols, 4);
	assert_int_equal(g.rows, 1);
	assert_true(str_eq(g.names[2], STR("empty")) && str_eq(g.text[0], STR("create/fork")) &&
		    str_eq(g.text[1], STR("1020")));
	assert_true(g.num[1] == 1020 && isnan(g.num[0]) && isnan(g.num[2]) && isnan(g.num[3]));
	assert_null(g.text[2].ptr);
	assert_true(store_query(s, STR("SELECT key FROM summary WHERE 0"), 1, &f->a, &g, &err));
	assert_true(g.cols == 1 && g.rows == 0);
	/* Ours, with text parameters. */
	const struct str params[] = {STR("10"), STR("")};
	assert_true(store_rows(s, "SELECT weight, ?2 FROM kernel_weight WHERE nice = ?1", params, 2, &f->a, &g));
	assert_true(g.num[0] == 110 && g.text[1].ptr && g.text[1].len == 0);
	assert_false(store_rows(s, "SELECT x FROM kernel_weight", NULL, 0, &f->a, &g));
	assert_non_null(strstr(str_z(&f->a, store_error(s)), "in the SQL: SELECT x"));
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(allowed, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(refused, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(errors_have_places, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(a_slow_query_leaves_no_harm, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(values, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(aggregates, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(the_grid, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
