/* What must hold for every chart, whatever its data: nothing overlaps, nothing leaves the plot, everything is drawn and said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "chart_check.h"
#include "chart_random.h"

/* RUNQ_CHARTS in the environment asks for more of them. */
static void random_charts(void **state)
{
	const char *asked = getenv("RUNQ_CHARTS");
	uint64_t n = asked ? strtoull(asked, NULL, 10) : 1500;

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		struct arena a = arena;
		seed = i;
		next(9);
		struct chart c = random_chart(&a);
		snprintf(what, sizeof what, "chart %d (%s, %s, unit '%.*s', %td rows, %td series, %td panels)", (int)i,
			chart_kind_names[c.kind], c.scale == CHART_LOG ? "log" : "linear", STR_FMT(c.unit), c.n,
			c.n_series, c.panels.n);
		struct arena keep = arena;
		arena = a;
		check_chart(&c);
		arena = keep;
	}
}

/* Every text of every kind, one after the other, is hostile. */
static void hostile_labels(void **state)
{
	struct arena a = arena;
	char *many = ARENA_NEW(&a, char, 10000), *marks = ARENA_NEW(&a, char, 20000);
	struct str texts[] = {{many, 10000}, {marks, 20000}, STR("</text></svg><script>alert(1)</script>"),
		STR("\xe2\x80\xae"
		    "reversed")};

	(void)state;
	memset(many, 'W', 10000);
	for (int i = 0; i < 20000; i += 2) {
		marks[i] = '\xcc';
		marks[i + 1] = '\x81'; /* combining acute accents: no width at all */
	}
	for (uint64_t i = 0; i < 120; i++) {
		struct arena keep = arena, own = a;
		struct str text = texts[i % 4];
		seed = i;
		struct chart c = random_chart(&own);
		c.title = c.subtitle = c.machine = text;
		for (ptrdiff_t k = 0; k < c.n; k++)
			c.rows[k].label = chart_is_labelled(c.kind) || c.kind == CHART_TIMELINE ? text : c.rows[k].label;
		for (ptrdiff_t k = 0; k < c.n_series; k++)
			c.series[k] = text;
		for (ptrdiff_t k = 0; k < c.panels.n; k++)
			c.panels.at[k] = text;
		for (ptrdiff_t k = 0; k < c.x_names.n; k++)
			c.x_names.at[k] = text;
		for (ptrdiff_t k = 0; k < c.y_names.n; k++)
			c.y_names.at[k] = text;
		for (ptrdiff_t k = 0; k < c.n; k++) {
			c.rows[k].series = c.series[c.rows[k].series_at];
			c.rows[k].panel = c.panels.n ? text : (struct str){0};
		}
		c.n_missing = 0;
		snprintf(what, sizeof what, "hostile text %d, %s", (int)i, chart_kind_names[c.kind]);
		arena = own;
		check_chart(&c);
		arena = keep;
	}
}

static void axes_are_monotone(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		struct arena a = arena;
		seed = i + 77;
		struct axis_spec spec = {.scale = next(2) ? CHART_LOG : CHART_LINEAR,
			.to = 1,
			.px = 280,
			.unit = str_of(unit_texts[next(7)])};
		spec.lo = pow(10, 12 * uniform() - 4);
		spec.hi = spec.lo * (1 + pow(10, 8 * uniform() - 6));
		spec.vertical = next(2);
		if (spec.scale == CHART_LINEAR && next(2))
			spec.lo = -spec.lo;
		struct axis axis = axis_new(&a, &spec);
		double v = spec.lo, last = axis_at(&axis, v);
		int labels = 0;
		assert_true(axis.lo <= spec.lo * (spec.lo > 0 ? 1.00001 : 0.99999) && axis.hi >= spec.hi * 0.99999);
		for (int k = 1; k <= 10; k++) {
			v = spec.lo + (spec.hi - spec.lo) * k / 10;
			double at = axis_at(&axis, v);
			assert_true(at > last && at <= 1);
			last = at;
		}
		for (ptrdiff_t k = 0; k < axis.n; k++) {
			assert_true(k == 0 || axis.ticks[k].at > axis.ticks[k - 1].at);
			labels += axis.ticks[k].label.len > 0;
		}
		assert_in_range(labels, 1, 12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_charts),
		cmocka_unit_test(hostile_labels),
		cmocka_unit_test(axes_are_monotone),
	};

	return cmocka_run_group_tests(tests, arenas_setup, arenas_teardown);
}
