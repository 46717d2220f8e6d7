/* Claim expressions: what is one, where an error is, and that what passes means the same to SQLite. */
#include "store_fixture.h"

#include <string.h>

#include "model/expr.h"

static struct expr parse(struct fixture *f, const char *text, bool formatters, struct diag *d)
{
	struct pos at = {STR("c.md"), 7, 11};

	*d = diag_new(&f->a);
	return expr_parse(&f->a, d, at, str_of(text), formatters);
}

static void accepts(void **state)
{
	static const struct {
		const char *text;
		int keys;
		bool inequality;
		double lo, hi; /* 0, 0: none */
	} cases[] = {
		{"med('create/fork') / med('create/thread-join') BETWEEN 3 AND 30", 2, false, 3, 30},
		{"med('create/fork')>lo('create/vfork')", 2, true, 0, 0},
		{"abs(hi('create/fork') - med('create/fork')) <= 2 * noise('create/fork')", 3, true, 0, 0},
		{"NOT med('create/fork') BETWEEN 1 AND 2 AND (1 < 2 OR 3 = 3)", 1, true, 1, 2},
		{"med('nice/0-10:share2') between 0.05 and 0.2 or med('nice/0-0') BETWEEN .4e1 AND 5", 2, false, 0, 0},
		{"med('nice/0-10:share2') between 0.05 and 0.2 or med('nice/0-0') BETWEEN 4e-1 AND 5", 2, false, 0.4,
			5},
		{"med('create/fork') BETWEEN 0 AND 1", 1, false, 0, 1},
		{"med('create/fork') BETWEEN 0.9 * med('create/vfork') AND 1.1 * med('create/vfork')", 3, false, 0, 0},
		{"med('create/fork') BETWEEN 2 * 3 AND 10 + 1", 1, false, 6, 11},
		{"med('switch/pipe-thread-same:switches') = 2", 1, false, 0, 0},
		{"-(-med('create/fork')) > 0 and +1 <> 2 and 1 != 2 and 1 == 1", 1, true, 0, 0},
		{"  1\n<\t2  ", 0, true, 0, 0},
		{"(((((((((((((((((((((1)))))))))))))))))))))  < 2", 0, true, 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d;
		struct expr e = parse(*state, cases[i].text, false, &d);
		if (strstr(cases[i].text, ".4e1")) {
			assert_false(e.ok);
			continue;
		}
		if (!e.ok)
			fail_msg("%s: %.*s", cases[i].text, STR_FMT(d.items->text));
		bool none = cases[i].hi == 0;
		if (e.n_keys != cases[i].keys || e.inequality != cases[i].inequality || isnan(e.lo) != none ||
			(!none && (e.lo != cases[i].lo || e.hi != cases[i].hi)))
			fail_msg("%s: %td keys, inequality %d, %g to %g", cases[i].text, e.n_keys, e.inequality, e.lo,
				e.hi);
	}
}

static void shows(void **state)
{
	static const char *const cases[] = {"times(med('create/fork') / med('create/vfork'))", "us(med('create/fork'))",
		"num(1.5, 2)", "num(1.5)", "pct(med('nice/0-0'))", "med('create/fork')", "ms(1)", "si(1)", "ns(1)"};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d;
		struct expr e = parse(*state, cases[i], true, &d);
		if (!e.ok)
			fail_msg("%s: %.*s", cases[i], STR_FMT(d.items->text));
	}
}

static void refuses(void **state)
{
	static const struct {
		const char *text;
		int col; /* from 11 */
		const char *message;
	} cases[] = {
		{"", 11, "the expression ends early; a number"},
		{"med('create/fork')", 11, "a number where a comparison belongs"},
		{"1 < 2 < 3", 17, "not expected here: '<'; join comparisons"},
		{"(1 < 2) + 1 > 0", 11, "a comparison where a number belongs"},
		{"1 AND 2", 11, "a number where a comparison belongs"},
		{"1 < 2 AND 3", 21, "a number where a comparison belongs"},
		{"NOT 3", 15, "a number where a comparison belongs"},
		{"med('create/frok') > 1", 16, "unknown measurement 'create/frok'; did you mean 'create/fork'?"},
		{"med('zzz') > 1", 16, "unknown measurement 'zzz'; `runq probe list`"},
		{"med('switch/aa') > 1", 16, "unknown measurement"},
		{"med(create) > 1", 15, "a measurement is named here"},
		{"med('create/fork', 2) > 1", 28, "not expected here: ','; close the parenthesis"},
		{"mad('create/fork') > 1", 11, "unknown word 'mad'; did you mean 'med'?"},
		{"median(1) > 1", 11, "unknown word 'median'"},
		{"us(med('create/fork')) > 1", 11, "a formatter in a test: 'us'"},
		{"med('create/fork) > 1", 15, "a quote without its partner"},
		{"1 < 2; DROP TABLE run", 16, "no part of a claim ';'"},
		{"1 < 2 -- 3", 17, "no part of a claim '-'"},
		{"1 < 2 /* 3 */", 18, "not expected here: '*'"},
		{"1 < x", 15, "unknown word 'x'"},
		{"1 < (SELECT 2)", 16, "unknown word 'SELECT'"},
		{"1 BETWEEN 2", 22, "BETWEEN without AND"},
		{"1 BETWEEN 3 AND 2", 21, "bounds in the wrong order"},
		{"1 / 2 * med('create/fork') > 1", 13, "an integer divided by an integer"},
		{"med('create/fork') / 0 > 1", 30, "a division by zero"},
		{"0x10 > 1", 11, "no number '0x'"},
		{"1.5.2 > 1", 11, "no number '1.5.'"},
		{"5. > 1", 11, "no number"},
		{"1e999 > 1", 11, "a number too large"},
		{"9007199254740993000 > 1", 11, "a number too large"},
		{"(1 < 2", 17, "the expression ends early; close"},
		{"1 < 2)", 16, "not expected here: ')'"},
		{"1 <", 14, "the expression ends early"},
		{"'a' < 'b'", 11, "a text by itself"},
	};
	struct diag d;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct expr e = parse(*state, cases[i].text, false, &d);
		if (e.ok || d.errors != 1)
			fail_msg("%s: %d errors", cases[i].text, d.errors);
		if (d.items->at.line != 7 || d.items->at.col != cases[i].col ||
			strncmp(d.items->text.ptr, cases[i].message, strlen(cases[i].message)) != 0)
			fail_msg("%s: %d:%d %.*s", cases[i].text, d.items->at.line, d.items->at.col,
				STR_FMT(d.items->text));
	}
	assert_false(parse(*state, "times(us(1))", true, &d).ok);
	assert_false(parse(*state, "num(1, 0)", true, &d).ok);
	assert_false(parse(*state, "times(1, 2)", true, &d).ok);
	/* Both unknown keys are named, and lines count. */
	struct expr e = parse(*state, "med('create/frok') > 1\nAND med('x/y') > 1", false, &d);
	assert_true(!e.ok && d.errors == 2 && e.n_keys == 2);
	assert_true(e.keys[1].at.line == 8 && e.keys[1].at.col == 10);
	/* Deep nesting ends in an error, not in the stack. */
	static char deep[20001];
	memset(deep, '(', sizeof deep - 1);
	assert_false(parse(*state, deep, false, &d).ok);
	memset(deep, '-', sizeof deep - 1);
	for (size_t i = 1; i < sizeof deep - 1; i += 2)
		deep[i] = ' ';
	assert_false(parse(*state, deep, false, &d).ok);
}

static void keys_in_sql(void **state)
{
	static const struct {
		const char *sql, *keys;
	} cases[] = {
		{"us(med('create/fork'))", "create/fork "},
		{"SELECT LO ( 'create/fork' ), hi('create/vfork') FROM summary", "create/fork create/vfork "},
		{"'med(''create/nothing'')' || noise('create/fork')", "create/fork "},
		{"-- med('create/nothing')\nmed('create/fork')", "create/fork "},
		{"/* med('create/nothing') */ med('create/fork')", "create/fork "},
		{"\"med\"('create/nothing')", ""},
		{"xmed('create/nothing') + med2('create/nothing') + 1med('create/nothing')", ""},
		{"med(key) + med('a' || 'b') + med(", ""},
		{"/*/ med('create/nothing') */ 1", ""},
		{"/* never ends med('create/nothing')", ""},
		{"'never ends med(", ""},
		{"", ""},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d = diag_new(&f->a);
		struct expr e = expr_keys_in_sql(&f->a, &d, (struct pos){STR("c.md"), 1, 1}, str_of(cases[i].sql));
		struct buf b = buf_new(&f->a);
		for (ptrdiff_t k = 0; k < e.n_keys; k++)
			buf_printf(&b, "%.*s ", STR_FMT(e.keys[k].key));
		if (!str_eq(buf_str(&b), str_of(cases[i].keys)) || !e.ok)
			fail_msg("%s: %.*s", cases[i].sql, STR_FMT(buf_str(&b)));
	}
	struct diag d = diag_new(&f->a);
	struct expr e =
		expr_keys_in_sql(&f->a, &d, (struct pos){STR("c.md"), 3, 5}, STR("SELECT 1,\n  med('create/frok')"));
	assert_true(!e.ok && d.errors == 1 && d.items->at.line == 4 && d.items->at.col == 8);
}

/* Whatever is accepted is SQL, and means what its types say. */
static void sqlite_agrees(void **state)
{
	static const struct {
		const char *text, *value;
	} cases[] = {
		{"NOT 1 < 2 OR 2 * 3 + 1 = 7", "1"},
		{"NOT (1 < 2 OR 2 = 2)", "0"},
		{"1 < 2 AND NOT 2 BETWEEN 3 AND 4", "1"},
		{"3 BETWEEN 2 + 1 AND 2 * 2 AND 1 > 2", "0"},
		{"-2 - -3 = 1", "1"},
		{"7 / 2.0 = 3.5", "1"},
		{"med('create/fork') / 2 = 510 AND abs(0 - hi('create/fork')) = 1040", "1"},
		{"noise('create/fork') > 1 OR med('create/vfork') > 1", "NULL"},
		{"1 <> 2 AND 1 != 2 AND 1 == 1 AND 1 <= 1 AND 1 >= 1", "1"},
	};
	struct fixture *f = *state;
	struct run_result r = sketch_run(f, (struct sketch){.cases = fork_case(f, 1000)});
	struct store *s = open_store(f, STORE_WRITE);

	put(f, s, &r, "local");
	assert_true(store_bind(s, run_machine_key(&f->a, r.run)));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d;
		if (!parse(f, cases[i].text, false, &d).ok)
			fail_msg("%s: %.*s", cases[i].text, STR_FMT(d.items->text));
		assert_string_equal(ask(f, s, cases[i].text), cases[i].value);
	}
	store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(accepts, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(shows, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(refuses, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(keys_in_sql, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(sqlite_agrees, fixture_open, fixture_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
