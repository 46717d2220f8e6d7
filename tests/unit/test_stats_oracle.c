/* Statistics against exact fractions: tests/lib/stats_oracle.py prints cases with their answers, this computes them again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "model/stats.h"

enum { VALUES_MAX = 64, TEXT_MAX = 1 << 20 };

static unsigned char mem[1 << 16];
static char text[TEXT_MAX];
static int seen;

static struct arena scratch(void)
{
	return arena_over(mem, sizeof mem);
}

static struct str word(struct str *line)
{
	return str_cut(*line, ' ', line);
}

static double number(struct str *line)
{
	char digits[64];
	struct str w = word(line);

	assert_true(w.len > 0 && w.len < (ptrdiff_t)sizeof digits);
	memcpy(digits, w.ptr, (size_t)w.len);
	digits[w.len] = '\0';
	return strtod(digits, NULL);
}

static ptrdiff_t numbers(struct str *line, ptrdiff_t n, double *v)
{
	assert_in_range(n, 1, VALUES_MAX);
	for (ptrdiff_t i = 0; i < n; i++)
		v[i] = number(line);
	return n;
}

static void near(struct str line, const char *what, double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
		fail_msg("%s is %.17g, not %.17g: %.*s", what, got, want, STR_FMT(line));
}

static void check_compare(struct str whole, struct str line)
{
	static const char *const verdicts[] = {[STATS_MOVED] = "moved", [STATS_NONE_SHOWN] = "none", [STATS_FEW_PAIRS] = "few", [STATS_NO_NOISE] = "unknown"};
	double before[VALUES_MAX], after[VALUES_MAX], noise = number(&line);
	ptrdiff_t n = (ptrdiff_t)number(&line);

	numbers(&line, n, before);
	numbers(&line, n, after);
	struct stats_change c = stats_compare(before, after, n, noise, scratch());
	if (!str_eq(word(&line), str_of(verdicts[c.verdict])))
		fail_msg("verdict %s: %.*s", verdicts[c.verdict], STR_FMT(whole));
	near(whole, "pairs", (double)c.pairs, number(&line));
	near(whole, "rose", (double)c.rose, number(&line));
	near(whole, "fell", (double)c.fell, number(&line));
	near(whole, "effect", c.effect, number(&line));
	near(whole, "smallest", c.smallest, number(&line));
	if (c.pairs < STATS_PAIRS_MIN || !(c.smallest > 0))
		return;
	/* What `smallest` promises: a little more would have been called, a little less in the effect's direction not. */
	assert_int_equal(c.verdict == STATS_MOVED, fabs(c.effect) > c.smallest);
	for (int more = c.effect == 0; more <= 1; more++) {
		double shifted[VALUES_MAX], by = (more ? 1.0001 : 0.9999) * (c.effect < 0 ? -c.smallest : c.smallest);
		for (ptrdiff_t i = 0; i < n; i++)
			shifted[i] = after[i] - c.effect + by;
		assert_int_equal(stats_compare(before, shifted, n, noise, scratch()).verdict, more ? STATS_MOVED : STATS_NONE_SHOWN);
	}
}

static void check_line(struct str line)
{
	struct str whole = line, kind = word(&line);
	double v[VALUES_MAX];

	seen++;
	if (str_eq(kind, STR("quantile"))) {
		double q = number(&line);
		ptrdiff_t n = numbers(&line, (ptrdiff_t)number(&line), v);
		near(whole, "the quantile", stats_quantile(v, n, q, scratch()), number(&line));
	} else if (str_eq(kind, STR("mad"))) {
		ptrdiff_t n = numbers(&line, (ptrdiff_t)number(&line), v);
		near(whole, "the MAD", stats_mad(v, n, scratch()), number(&line));
	} else if (str_eq(kind, STR("interval"))) {
		double wanted = number(&line);
		ptrdiff_t n = numbers(&line, (ptrdiff_t)number(&line), v);
		struct stats_interval i = stats_median_interval(v, n, wanted, scratch());
		near(whole, "lo", i.lo, number(&line));
		near(whole, "hi", i.hi, number(&line));
		near(whole, "the coverage", i.coverage, number(&line));
	} else if (str_eq(kind, STR("sign"))) {
		ptrdiff_t plus = (ptrdiff_t)number(&line), minus = (ptrdiff_t)number(&line);
		near(whole, "p", stats_sign_test(plus, minus), number(&line));
	} else if (str_eq(kind, STR("compare"))) {
		check_compare(whole, line);
	} else {
		fail_msg("unknown line: %.*s", STR_FMT(whole));
	}
}

static struct str ask_oracle(void)
{
	int ends[2], status;
	size_t len = 0;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		execlp("python3", "python3", "tests/lib/stats_oracle.py", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	for (ssize_t got = 1; got > 0 && len < sizeof text; len += (size_t)(got > 0 ? got : 0))
		got = read(ends[0], text + len, sizeof text - len);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return (struct str){text, (ptrdiff_t)len};
}

static void agree_with_exact_fractions(void **state)
{
	struct str rest = ask_oracle();

	while (rest.len) {
		struct str line = str_cut(rest, '\n', &rest);
		if (line.len)
			check_line(line);
	}
	assert_in_range(seen, 3000, 4000);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(agree_with_exact_fractions)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
