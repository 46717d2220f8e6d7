#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/diff.h"

enum { PASSES = 6 };

static unsigned char memory[1 << 20], more[1 << 20];

/* One table of `probe`: a case, the case it is compared with being made by adding `shift`, and its twin `apart`. */
struct made {
	int64_t values[PASSES], again[PASSES];
	struct run_metric metric, twin_metric;
	struct run_case cases[2];
	struct run_table table;
	struct run_fact fact;
	struct run run;
};

static struct run *make(struct made *m, int64_t middle, int64_t apart)
{
	static const int wobble[PASSES] = {-4, 3, 0, 9, -9, 1};

	for (int i = 0; i < PASSES; i++) {
		m->values[i] = middle + wobble[i];
		m->again[i] = m->values[i] + (i % 2 ? apart : -apart);
	}
	m->metric = (struct run_metric){.name = STR("wall"), .unit = RUN_UNIT_NS, .values = m->values, .n = PASSES};
	m->twin_metric = m->metric;
	m->twin_metric.values = m->again;
	m->cases[0] = (struct run_case){.name = STR("fork"), .metrics = &m->metric, .n_metrics = 1};
	m->cases[1] = (struct run_case){.name = STR("aa"), .twin = STR("fork"), .metrics = &m->twin_metric, .n_metrics = 1};
	m->table = (struct run_table){.probe = STR("create"), .version = 1, .passes = PASSES, .cases = m->cases, .n_cases = 2};
	m->fact = (struct run_fact){.key = STR("hz"), .num = 250};
	m->run = (struct run){.machine = {&m->fact, 1}, .tables = &m->table, .n_tables = 1};
	return &m->run;
}

static struct made first, second;

static struct diff compared(bool emulated)
{
	struct arena a = arena_over(memory, sizeof memory);

	return diff_runs(&a, &first.run, &second.run, emulated, arena_over(more, sizeof more));
}

static void expect(const struct diff *d, enum diff_verdict verdict, enum diff_reason reason)
{
	assert_int_equal(d->n, 1);
	assert_int_equal(d->rows[0].verdict, verdict);
	assert_int_equal(d->rows[0].reason, reason);
	assert_int_equal(d->verdicts[verdict], 1);
	assert_int_equal(d->reasons[reason], 1);
}

static void a_shift_counts_beyond_twice_the_larger_noise(void **state)
{
	(void)state;
	make(&first, 1000, 10);
	make(&second, 1050, 1);
	struct diff d = compared(false);
	expect(&d, DIFF_MOVED, DIFF_COMPARED);
	assert_true(str_eq(d.rows[0].key, STR("create/fork")));
	assert_true(fabs(d.rows[0].change.effect - 50) < 1e-9 && fabs(d.rows[0].relative - 50.0 / 1000.5) < 1e-9);
	make(&first, 1000, 26);
	d = compared(false);
	expect(&d, DIFF_NONE_SHOWN, DIFF_COMPARED);
	assert_true(d.rows[0].change.smallest > 50);
	make(&first, 1000, 10);
	make(&second, 1050, 30); /* whichever run is the noisier */
	d = compared(false);
	expect(&d, DIFF_NONE_SHOWN, DIFF_COMPARED);
}

static void what_is_no_pair_says_why(void **state)
{
	struct diff d;

	(void)state;
	make(&first, 1000, 10);
	make(&second, 2000, 10);
	second.fact.num = 1000;
	d = compared(false);
	expect(&d, DIFF_NOT_COMPARED, DIFF_OTHER_CONFIG);
	assert_int_equal(d.n_config_keys, 1);
	assert_true(str_eq(d.config_keys[0], STR("hz")));
	assert_false(diff_possible(&first.run, &second.run));
	make(&second, 2000, 10);
	assert_true(diff_possible(&first.run, &second.run));
	second.table.version = 2;
	d = compared(false);
	expect(&d, DIFF_NOT_COMPARED, DIFF_OTHER_VERSION);
	assert_false(diff_possible(&first.run, &second.run));
	make(&second, 2000, 10);
	second.cases[0].status = RUN_SKIPPED;
	d = compared(false);
	expect(&d, DIFF_NOT_COMPARED, DIFF_ONLY_BEFORE);
	assert_true(isnan(d.rows[0].after) && d.rows[0].before > 999);
	make(&second, 2000, 10);
	second.values[3] = RUN_NULL;
	d = compared(false);
	expect(&d, DIFF_NOT_COMPARED, DIFF_FEW_PASSES);
	make(&second, 2000, 10);
	first.table.n_cases = second.table.n_cases = 1;
	d = compared(false);
	expect(&d, DIFF_NOT_COMPARED, DIFF_NO_NOISE);
	make(&first, 1000, 10);
	make(&second, 2000, 10);
	d = compared(true); /* a cost under emulation */
	expect(&d, DIFF_NOT_COMPARED, DIFF_EMULATED);
}

/* Counts that are always 0 have no fraction to be noisy by. */
static void a_count_of_nothing_has_its_gap_for_noise(void **state)
{
	struct diff d;

	(void)state;
	make(&first, 0, 0);
	make(&second, 100, 0);
	for (int i = 0; i < PASSES; i++)
		first.values[i] = first.again[i] = 0;
	d = compared(false);
	expect(&d, DIFF_MOVED, DIFF_COMPARED);
	assert_true(isnan(d.rows[0].relative));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shift_counts_beyond_twice_the_larger_noise),
		cmocka_unit_test(what_is_no_pair_says_why),
		cmocka_unit_test(a_count_of_nothing_has_its_gap_for_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
