/* The view `sample` unpacks what json_each does, notes what it gives, and a million values fit into median. */
#include "store_fixture.h"

static struct store *bound(struct fixture *f)
{
	struct store *s = open_store(f, STORE_WRITE);
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 100)});

	struct grid g;

	put(f, s, &r, "local");
	assert_true(store_rows(s, "SELECT key FROM main.machine", NULL, 0, &f->a, &g) && store_set_local_machine(s, g.text[0]));
	return s;
}

static void set_values(struct fixture *f, struct store *s, const char *json)
{
	struct str params[] = {str_of(json)};

	assert_true(store_exec(s, "UPDATE main.cell SET vals = ?1", params, 1));
	bind_ok(s, "");
	(void)f;
}

#define BOTH(json) \
	(set_values(f, s, json), \
		assert_string_equal(rows(f, s, "SELECT pass, value, typeof(value) FROM sample"), \
			rows(f, s, "SELECT j.key + 1, j.value, typeof(j.value) FROM main.cell c, json_each(c.vals) j" \
				   " WHERE j.value IS NOT NULL")))

static void agrees_with_json(void **state)
{
	struct fixture *f = *state;
	struct store *s = bound(f);

	BOTH("[1,2,3]");
	BOTH("[]");
	BOTH("[null]");
	BOTH("[null,null,5,null]");
	BOTH("[0,-1,-0.5,0.001,123456.789,0.1,0.3]");
	BOTH("[ 1 , 2.5,  null , 3 ]");
	BOTH("[123456789012345,1234567890123456,0.123456789012345,99999999999999.9]");
	BOTH("[1e3,2.5e-3,1E2]");
	store_close(s);
}

static ptrdiff_t noted(struct fixture *f, struct store *s, const char *sql)
{
	struct store_query_error err;
	struct store_note *notes;
	struct grid g;

	if (!store_query(s, str_of(sql), 100, &f->a, &g, &err))
		fail_msg("%s: %.*s", sql, STR_FMT(err.text));
	return store_notes_take(s, &f->a, &notes);
}

static void notes_what_was_read(void **state)
{
	struct fixture *f = *state;
	struct store *s = bound(f);
	struct store_note *notes;
	struct store_query_error err;
	struct grid g;

	bind_ok(s, "");
	assert_int_equal(noted(f, s, "SELECT median(value) FROM sample"), 1);
	assert_int_equal(noted(f, s, "SELECT pass, label, ord FROM sample"), 0);
	assert_int_equal(noted(f, s, "SELECT value FROM sample WHERE key = 'create/vfork'"), 0);
	assert_int_equal(noted(f, s, "SELECT median(value) OVER (ORDER BY pass ROWS 1 PRECEDING) FROM sample"), 1);
	assert_true(store_query(s, STR("SELECT label, value FROM sample WHERE label = 'fork, wait'"), 100, &f->a, &g, &err));
	assert_int_equal(store_notes_take(s, &f->a, &notes), g.rows > 0);
	assert_true(store_query(s, STR("SELECT value FROM sample"), 100, &f->a, &g, &err));
	assert_int_equal(store_notes_take(s, &f->a, &notes), 1);
	assert_string_equal(str_z(&f->a, notes[0].probe), "create");
	assert_string_equal(str_z(&f->a, notes[0].case_id), "fork");
	store_close(s);
}

static void is_no_table_of_authors(void **state)
{
	struct fixture *f = *state;
	struct store *s = bound(f);

	bind_ok(s, "");
	assert_non_null(strstr(ask(f, s, "(SELECT value FROM each_value('[1]', 1, 'create', 'fork'))"), "is not for content"));
	assert_string_equal(ask(f, s, "(SELECT count(*) FROM sample)"), "5");
	assert_string_equal(ask(f, s, "(SELECT count(*) FROM json_each('[1,2]'))"), "2");
	assert_string_equal(ask(f, s, "SELECT sum(value) FROM sample"), "600");
	store_close(s);
}

/* As many values as a page's charts may pass. */
static void a_million(void **state)
{
	enum { N = 1000 };
	struct fixture *f = *state;
	struct store *s = bound(f);
	struct buf b = buf_new(&f->a);

	buf_char(&b, '[');
	for (int i = 0; i < N; i++)
		buf_printf(&b, "%s%d", i ? "," : "", i * 7 % N);
	buf_char(&b, ']');
	set_values(f, s, str_z(&f->a, buf_str(&b)));
	assert_string_equal(rows(f, s, "SELECT median(a.value * 1000 + b.value), quantile(b.value * 1000 + a.value, 0.25),"
				       " count(*) FROM sample a, sample b"), "499999.5|249999.75|1000000\n");
	store_close(s);
}

static void windows_slide(void **state)
{
	struct fixture *f = *state;
	struct store *s = bound(f);
	struct buf b = buf_new(&f->a);

	buf_char(&b, '[');
	for (int i = 0; i < 500; i++)
		buf_printf(&b, "%s%d", i ? "," : "", i * 37 % 101);
	buf_char(&b, ']');
	set_values(f, s, str_z(&f->a, buf_str(&b)));
	/* The median of each 41 neighbours, by another way. */
	assert_string_equal(rows(f, s, "SELECT pass, median(value) OVER (ORDER BY pass ROWS 40 PRECEDING) FROM sample"),
		rows(f, s, "SELECT a.pass, (SELECT median(b.value) FROM sample b WHERE b.pass BETWEEN a.pass - 40 AND a.pass) FROM sample a"));
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(agrees_with_json, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(notes_what_was_read, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(is_no_table_of_authors, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(a_million, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(windows_slide, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
