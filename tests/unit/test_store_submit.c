/* Submissions: what is accepted, refused, late, repeated; nothing that was tried is lost. */
#include "store_fixture.h"

#include <string.h>

static const int64_t due_ms = 1700000000000;

static struct store *class_of(struct fixture *f, struct run_result *r)
{
	struct store *s = open_store(f, STORE_WRITE);

	*r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	put(f, s, r, "submitted");
	assert_true(store_put_lab(s, STR("creation"), STR("create"), due_ms));
	assert_true(store_put_lab(s, STR("both"), STR("create  switch nice"), RUN_NULL));
	return s;
}

static enum store_result hand_in(struct store *s, struct store_submission *sub, struct str id, const char *student,
	const char *lab, int64_t t_ms)
{
	*sub = (struct store_submission){
		.run_id_hex = id, .student = str_of(student), .lab = str_of(lab), .t_ms = t_ms};
	return store_put_submission(s, sub, (struct str){0});
}

static void accepted_and_late(void **state)
{
	struct fixture *f = *state;
	struct run_result r;
	struct store *s = class_of(f, &r);
	struct store_submission sub;
	struct str id = hex_of(f, &r);

	assert_int_equal(hand_in(s, &sub, id, "p1", "creation", due_ms + 119999), STORE_OK);
	assert_true(!sub.late && sub.student_added && !sub.reason.len && sub.t_ms == due_ms + 119999);
	assert_int_equal(hand_in(s, &sub, id, "p2", "creation", due_ms + 120000), STORE_OK);
	assert_true(sub.late && sub.student_added);
	/* Two names, one measurement: both stay and both are marked. */
	assert_string_equal(
		rows(f, s, "SELECT student, lab, t_begin_ms, late, flags, answers FROM submission ORDER BY id"),
		"p1|creation|1700000119999|0|shared_run|{}\np2|creation|1700000120000|1|shared_run|{}\n");
	assert_string_equal(rows(f, s, "SELECT outcome, reason FROM attempt"), "accepted|\naccepted|\n");
	/* No due date: never late. */
	assert_true(store_put_lab(s, STR("creation"), STR("create"), RUN_NULL));
	assert_int_equal(hand_in(s, &sub, id, "p3", "creation", due_ms * 2), STORE_OK);
	assert_false(sub.late);
	store_close(s);
}

static void repeated(void **state)
{
	struct fixture *f = *state;
	struct run_result r;
	struct store *s = class_of(f, &r);
	struct store_submission sub;
	struct str id = hex_of(f, &r);

	assert_int_equal(hand_in(s, &sub, id, "p1", "creation", due_ms), STORE_OK);
	assert_int_equal(hand_in(s, &sub, id, "p1", "creation", due_ms + 9999999), STORE_DUPLICATE);
	assert_true(sub.t_ms == due_ms && !sub.late && !sub.student_added);
	assert_string_equal(rows(f, s, "SELECT count(*) FROM submission"), "1\n");
	assert_string_equal(rows(f, s, "SELECT t_ms, outcome FROM attempt ORDER BY id"),
		"1700000000000|accepted\n1700009999999|duplicate\n");
	store_close(s);
}

static void refused(void **state)
{
	struct fixture *f = *state;
	struct run_result r;
	struct store *s = class_of(f, &r);
	struct store_submission sub;
	struct str id = hex_of(f, &r);
	static const struct {
		const char *student, *lab, *reason;
		bool known;
	} cases[] = {
		{"p1", "creatoin", "lab: no lab 'creatoin'; did you mean 'creation'?", true},
		{"p1", "zzz", "lab: no lab 'zzz'; `ls content/labs` shows them", true},
		{"p1", "both",
			"tables: no table of probe switch nice, which lab 'both' needs; run `runq-probe run create  "
			"switch nice -o FILE` and hand in "
			"that file",
			true},
		{"p1", "creation", "run_id: this run is not in the database; import its file", false},
		{"", "creation", "student: 1 to 64 characters without blanks; give the pseudonym", true},
		{"a b", "creation", "student: 1 to 64 characters without blanks; give the pseudonym", true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(
			hand_in(s, &sub, cases[i].known ? id : STR("abc"), cases[i].student, cases[i].lab, due_ms),
			STORE_OK);
		assert_string_equal(str_z(&f->a, sub.reason), cases[i].reason);
	}
	assert_string_equal(rows(f, s, "SELECT count(*) FROM submission"), "0\n");
	assert_string_equal(rows(f, s,
				    "SELECT count(*), count(run_id), count(DISTINCT reason) FROM attempt WHERE outcome "
				    "= 'refused'"),
		"6|5|5\n");
	assert_string_equal(rows(f, s, "SELECT count(*) FROM student"), "0\n");
	store_close(s);
}

/* A reason that the caller gives (the file was no run) is kept as it is, also inside the caller's transaction. */
static void refused_by_the_caller(void **state)
{
	struct fixture *f = *state;
	struct run_result r;
	struct store *s = class_of(f, &r);
	struct store_submission sub = {
		.student = STR("p1"), .lab = STR("creation"), .reason = STR("nonce: missing"), .t_ms = 5};

	assert_true(store_begin(s));
	assert_int_equal(store_put_submission(s, &sub, (struct str){0}), STORE_OK);
	assert_true(store_commit(s));
	assert_string_equal(str_z(&f->a, sub.reason), "nonce: missing");
	assert_string_equal(rows(f, s, "SELECT t_ms, run_id, student, lab, outcome, reason FROM attempt"),
		"5|NULL|p1|creation|refused|nonce: missing\n");
	store_close(s);
}

/* Class charts see what was handed in, without names: the last run in time of each student; marked ones wait for
 * review. */
static void class_cells(void **state)
{
	struct fixture *f = *state;
	struct run_result r, better, tardy;
	struct store *s = class_of(f, &r);
	struct store_submission sub;

	better = sketch_run(f, (struct sketch){.cases = fork_case(f, 2000)});
	tardy = sketch_run(f, (struct sketch){.cases = fork_case(f, 3000)});
	put(f, s, &better, "submitted");
	put(f, s, &tardy, "submitted");
	bind_ok(s, "");
	hand_in(s, &sub, hex_of(f, &r), "p1", "creation", due_ms - 9);
	hand_in(s, &sub, hex_of(f, &better), "p1", "creation", due_ms - 8);
	hand_in(s, &sub, hex_of(f, &tardy), "p1", "creation", due_ms + 999999);
	assert_string_equal(
		rows(f, s, "SELECT lab, key, median, late FROM class_cells"), "creation|create/fork|2020|0\n");
	assert_string_equal(rows(f, s, "SELECT count(*) FROM summary"), "0\n");
	hand_in(s, &sub, hex_of(f, &better), "p2", "creation", due_ms - 7);
	assert_string_equal(rows(f, s, "SELECT count(*) FROM class_cells"), "0\n");
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(accepted_and_late, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(repeated, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(refused, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(refused_by_the_caller, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(class_cells, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
