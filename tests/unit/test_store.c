/* Opening, migrating, importing: what a database is and what a run becomes in it. */
#include "store_fixture.h"

#include <string.h>

static const char *open_fails(struct fixture *f, enum store_mode mode, enum store_result expected)
{
	enum store_result result = STORE_OK;
	struct str why = {0};
	struct store *s = store_open(&f->a, f->db, mode, &result, &why);

	assert_null(s);
	assert_int_equal(result, expected);
	return str_z(&f->a, why);
}

static void write_db(struct fixture *f, const void *bytes, ptrdiff_t len)
{
	assert_true(file_make_dirs(str_z(&f->a, str_printf(&f->a, "%s/a", f->folder))));
	assert_int_not_equal(file_replace(f->db, (struct str){bytes, len}), FILE_FAILED);
}

static void missing_file(void **state)
{
	struct fixture *f = *state;

	assert_non_null(strstr(open_fails(f, STORE_READ, STORE_ERROR), "import a run first"));
}

static void migrates_an_empty_file(void **state)
{
	struct fixture *f = *state;

	write_db(f, "", 0);
	assert_non_null(strstr(open_fails(f, STORE_READ, STORE_ERROR), "no database yet"));
	struct store *s = open_store(f, STORE_WRITE);
	assert_string_equal(rows(f, s, "PRAGMA user_version"), "1\n");
	assert_string_equal(rows(f, s, "PRAGMA application_id"), "1920298609\n");
	assert_string_equal(rows(f, s, "PRAGMA journal_mode"), "delete\n");
	assert_string_equal(rows(f, s, "SELECT count(*), sum(weight), min(weight), max(weight) FROM kernel_weight"),
		"40|445163|15|88761\n");
	store_close(s);
	/* Again: nothing to do. */
	store_close(open_store(f, STORE_WRITE));
	store_close(open_store(f, STORE_READ));
}

/* A crash between creation and the first step leaves our name on version 0. */
static void migrates_an_older_file(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);

	assert_true(store_exec(s, "DROP TABLE cell", NULL, 0));
	assert_true(store_exec(s, "DROP TABLE machine_fact", NULL, 0));
	static const char *const tables[] = {
		"attempt", "audit", "submission", "lab", "token", "student", "kernel_weight", "run", "machine", "meta"};
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		assert_true(store_exec(s, str_z(&f->a, str_printf(&f->a, "DROP TABLE %s", tables[i])), NULL, 0));
	assert_true(store_exec(s, "PRAGMA user_version = 0", NULL, 0));
	store_close(s);
	assert_non_null(strstr(open_fails(f, STORE_READ, STORE_ERROR), "runq db migrate"));
	s = open_store(f, STORE_WRITE);
	assert_string_equal(rows(f, s, "SELECT count(*) FROM cell"), "0\n");
	store_close(s);
}

static void refuses_newer_and_foreign(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f, STORE_WRITE);

	assert_true(store_exec(s, "PRAGMA user_version = 99", NULL, 0));
	store_close(s);
	assert_non_null(strstr(open_fails(f, STORE_WRITE, STORE_NEWER), "newer"));
	assert_non_null(strstr(open_fails(f, STORE_READ, STORE_NEWER), "newer"));
	/* Offset 68 of the header is the application_id, 60 the user_version. */
	struct file_text file = file_read(&f->a, f->db, 1 << 24);
	char *bytes = ARENA_NEW(&f->a, char, file.text.len);
	memcpy(bytes, file.text.ptr, (size_t)file.text.len);
	bytes[68] ^= 1;
	write_db(f, bytes, file.text.len);
	assert_non_null(strstr(open_fails(f, STORE_WRITE, STORE_ERROR), "another program"));
}

static void says_what_is_broken(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &r, "local");
	store_close(s);
	struct file_text file = file_read(&f->a, f->db, 1 << 24);
	char *bytes = ARENA_NEW(&f->a, char, file.text.len);
	memcpy(bytes, file.text.ptr, (size_t)file.text.len);
	memset(bytes + 4096, 0xa5, (size_t)file.text.len - 4096);
	write_db(f, bytes, file.text.len);
	s = open_store(f, STORE_READ);
	struct diag d = diag_new(&f->a);
	assert_false(store_verify(s, &d, f->a));
	store_close(s);
	write_db(f, "This is a text that is no database at all, though it is long enough.", 68);
	const char *why = open_fails(f, STORE_READ, STORE_ERROR);
	assert_non_null(strstr(why, "not a database; restore it from a backup"));
}

static void reading_cannot_write(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});

	store_close(open_store(f, STORE_WRITE));
	struct store *s = open_store(f, STORE_READ);
	assert_int_equal(store_put_run(s, &r, "local", f->a), STORE_ERROR);
	assert_non_null(strstr(str_z(&f->a, store_error(s)), "permissions"));
	store_close(s);
}

static void busy_is_said(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *first = open_store(f, STORE_WRITE), *second = open_store(f, STORE_WRITE);

	assert_true(store_exec(second, "PRAGMA busy_timeout = 20", NULL, 0) || true);
	assert_true(store_begin(first));
	assert_int_equal(store_put_run(second, &r, "local", f->a), STORE_BUSY);
	assert_int_equal(store_last(second), STORE_BUSY);
	assert_true(store_commit(first));
	put(f, second, &r, "local");
	store_close(first);
	store_close(second);
}

/* A full disk: the run is in whole or not at all, and the next try works. */
static void a_full_disk(void **state)
{
	struct fixture *f = *state;
	struct run_result first = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)}), big;
	struct buf cases = buf_new(&f->a);
	struct store *s = open_store(f, STORE_WRITE);

	for (int i = 0; i < 400; i++)
		buf_printf(&cases, "%s{\"case\":\"c%d\",\"status\":\"skipped\",\"cause\":\"a long enough cause\"}",
			i ? "," : "[", i);
	buf_add(&cases, STR("]"));
	big = sketch_run(f, (struct sketch){.cases = str_z(&f->a, buf_str(&cases))});
	put(f, s, &first, "local");
	struct str pages = str_of(rows(f, s, "PRAGMA page_count"));
	assert_true(store_exec(
		s, str_z(&f->a, str_printf(&f->a, "PRAGMA max_page_count = %.*s", STR_FMT(pages))), NULL, 0));
	assert_true(store_begin(s));
	assert_int_equal(store_put_run(s, &big, "local", f->a), STORE_ERROR);
	assert_non_null(strstr(str_z(&f->a, store_error(s)), "free space"));
	store_rollback(s);
	assert_string_equal(rows(f, s, "SELECT count(*), (SELECT count(*) FROM cell) FROM run"), "1|1\n");
	assert_string_equal(rows(f, s, "PRAGMA integrity_check"), "ok\n");
	assert_true(store_exec(s, "PRAGMA max_page_count = 100000", NULL, 0));
	put(f, s, &big, "local");
	store_close(s);
}

/* What import writes. */
static const char mixed_cases[] =
	"[{\"case\":\"pipe-thread-same\",\"status\":\"ok\",\"params\":{\"zeta\":1,\"alpha\":2},\"metrics\":{"
	"\"switches\":{\"unit\":\"milli\",\"values\":[2000,2001,1999,2000,null]},"
	"\"handoff\":{\"unit\":\"ns\",\"values\":[1500,1400,1600,1500,1700]}},"
	"\"hists\":{\"late\":{\"unit\":\"ns\",\"buckets\":[[0,8,3],[8,16,2]]}},\"spans\":[[\"cpu0\",0,5,\"running\"]]},"
	"{\"case\":\"pipe-thread-cross\",\"status\":\"skipped\",\"cause\":\"one CPU\",\"try\":\"give it \\\"two\\\"\"},"
	"{\"case\":\"aa\",\"twin\":\"pipe-thread-same\",\"status\":\"ok\",\"metrics\":{"
	"\"handoff\":{\"unit\":\"ns\",\"values\":[1500,1550,1600,1500,1700]}}}]";

static void cells_of_a_run(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.probe = "switch", .cases = mixed_cases});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &r, "local");
	assert_string_equal(
		rows(f, s,
			"SELECT key, unit, status, n, min, median, max, mad, vals FROM cell ORDER BY case_id, metric"),
		"switch/aa|ns|ok|5|1500|1550|1700|50|[1500,1550,1600,1500,1700]\n"
		"switch/pipe-thread-cross|ns|skipped|0|NULL|NULL|NULL|NULL|NULL\n"
		"switch/pipe-thread-same|ns|ok|5|1400|1500|1700|100|[1500,1400,1600,1500,1700]\n"
		"switch/pipe-thread-same:switches|ratio|ok|4|1.999|2|2.001|0.0005|[2,2.001,1.999,2,null]\n");
	assert_string_equal(
		rows(f, s, "SELECT cause, try FROM cell WHERE status = 'skipped'"), "one CPU|give it \"two\"\n");
	/* The largest paired difference is 150 of a median of 1500; the twin has no `switches`. */
	assert_string_equal(
		rows(f, s, "SELECT metric, noise, params, hist, spans FROM cell WHERE case_id = 'pipe-thread-same'"),
		"handoff|0.1|{\"alpha\":2,\"zeta\":1}|{\"late\":[[0,8,3],[8,16,2]]}|[[\"cpu0\",0,5,\"running\"]]\n"
		"switches|NULL|{\"alpha\":2,\"zeta\":1}|NULL|NULL\n");
	assert_string_equal(
		rows(f, s, "SELECT label, kind, public FROM machine"), "Linux 6.18, 2 CPUs, x86-64|measured|0\n");
	assert_string_equal(rows(f, s, "SELECT name, value, num FROM machine_fact"),
		"arch|x86_64|NULL\ncpus_online|NULL|2\nhz|NULL|250\nkernel_release|6.18.4|NULL\n");
	store_close(s);
}

static void import_is_idempotent(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &r, "submitted");
	assert_int_equal(store_put_run(s, &r, "submitted", f->a), STORE_DUPLICATE);
	assert_string_equal(rows(f, s, "SELECT origin, (SELECT count(*) FROM cell) FROM run"), "submitted|1\n");
	/* The stronger origin stays, whatever comes first. */
	assert_int_equal(store_put_run(s, &r, "committed", f->a), STORE_DUPLICATE);
	assert_int_equal(store_put_run(s, &r, "imported", f->a), STORE_DUPLICATE);
	assert_string_equal(rows(f, s, "SELECT origin FROM run"), "committed\n");
	store_close(s);
	/* A build that repeats everything leaves the file's bytes alone. */
	s = open_store(f, STORE_WRITE);
	assert_true(store_set_local_machine(s, run_machine_key(&f->a, r.run)));
	assert_true(store_put_label(s, run_machine_key(&f->a, r.run), STR("mine"), true, STR("measured")));
	store_close(s);
	struct file_text before = file_read(&f->a, f->db, 1 << 24);
	s = open_store(f, STORE_WRITE);
	assert_int_equal(store_put_run(s, &r, "committed", f->a), STORE_DUPLICATE);
	assert_true(store_set_local_machine(s, run_machine_key(&f->a, r.run)));
	assert_true(store_put_label(s, run_machine_key(&f->a, r.run), STR("mine"), true, STR("measured")));
	store_close(s);
	struct file_text after = file_read(&f->a, f->db, 1 << 24);
	assert_true(str_eq(before.text, after.text));
}

static void transactions_roll_back(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *s = open_store(f, STORE_WRITE);

	assert_true(store_begin(s));
	put(f, s, &r, "local");
	/* A verb that fails inside leaves the rest of the transaction alone. */
	assert_false(store_put_label(s, STR("x"), STR("X"), true, STR("imagined")));
	assert_int_equal(
		store_put_run(s, &(struct run_result){.run = r.run, .canon = STR("{}")}, "local", f->a), STORE_ERROR);
	assert_string_equal(rows(f, s, "SELECT count(*) FROM run"), "1\n");
	store_rollback(s);
	assert_string_equal(rows(f, s, "SELECT count(*) FROM run"), "0\n");
	put(f, s, &r, "local");
	store_close(s);
	s = open_store(f, STORE_READ);
	assert_string_equal(rows(f, s, "SELECT count(*) FROM run"), "1\n");
	store_close(s);
}

static void labels_and_the_local_machine(void **state)
{
	struct fixture *f = *state;
	struct run_result a = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct run_result b = sketch_run(f, (struct sketch){.cases = fork_case(f, 2000), .kernel = "6.1.9", .cpus = 1});
	struct str key_a = run_machine_key(&f->a, a.run), key_b = run_machine_key(&f->a, b.run);
	struct store *s = open_store(f, STORE_WRITE);

	assert_true(store_put_label(s, key_b, STR("An older one"), false, STR("emulated"))); /* before its run */
	put(f, s, &a, "local");
	put(f, s, &b, "committed");
	assert_true(store_set_local_machine(s, key_b));
	assert_string_equal(rows(f, s, "SELECT label, kind, public FROM machine ORDER BY label"),
		"An older one|emulated|1\nLinux 6.18, 2 CPUs, x86-64|measured|0\n");
	assert_true(store_set_local_machine(s, key_a));
	assert_string_equal(rows(f, s, "SELECT public FROM machine ORDER BY label"), "0\n1\n");
	assert_true(store_put_label(s, key_b, STR("An older one"), true, STR("emulated")));
	assert_string_equal(rows(f, s, "SELECT public FROM machine ORDER BY label"), "1\n1\n");
	store_close(s);
}

/* Two configurations whose keys collide must not be pooled. */
static void colliding_keys(void **state)
{
	struct fixture *f = *state;
	struct run_result a = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)}), b = a;
	struct store *s = open_store(f, STORE_WRITE);

	b.id[0] ^= 1;
	b.config_id[5] ^= 1;
	put(f, s, &a, "imported");
	put(f, s, &b, "imported");
	assert_string_equal(
		rows(f, s, "SELECT count(DISTINCT machine), max(length(machine)) - min(length(machine)) FROM run"),
		"2|4\n");
	store_close(s);
}

static void canon_by_prefix(void **state)
{
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *s = open_store(f, STORE_WRITE);
	struct str hex = hex_of(f, &r), canon, full;

	put(f, s, &r, "local");
	assert_true(store_canon(s, str_slice(hex, 0, 7), &f->a, &canon, &full));
	assert_true(str_eq(canon, r.canon) && str_eq(full, hex));
	assert_true(store_canon(s, hex, &f->a, &canon, &full));
	assert_false(store_canon(s, str_slice(hex, 0, 6), &f->a, &canon, &full));
	assert_false(store_canon(s, STR("zzzzzzzz"), &f->a, &canon, &full));
	assert_false(store_canon(s, hex.ptr[0] == '0' ? STR("1111111") : STR("0000000"), &f->a, &canon, &full));
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(missing_file, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(migrates_an_empty_file, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(migrates_an_older_file, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(refuses_newer_and_foreign, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(says_what_is_broken, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(reading_cannot_write, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(busy_is_said, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(a_full_disk, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(cells_of_a_run, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(import_is_idempotent, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(transactions_roll_back, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(labels_and_the_local_machine, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(colliding_keys, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(canon_by_prefix, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
