#include "probe/summary.h"

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

struct summary summary_of(const struct run_metric *m)
{
	int64_t sorted[RUN_PASSES_MAX];
	int n = 0;

	for (ptrdiff_t i = 0; i < m->n && n < RUN_PASSES_MAX; i++)
		if (m->values[i] != RUN_NULL)
			sorted[n++] = m->values[i];
	if (n == 0)
		return (struct summary){RUN_NULL, RUN_NULL, RUN_NULL, 0};
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	/* The site's median: between the middle two when the passes are even. */
	int64_t low = sorted[(n - 1) / 2], high = sorted[n / 2];
	return (struct summary){low + (high - low) / 2, sorted[0], sorted[n - 1], n};
}

static void print_value(FILE *to, enum run_unit unit, int64_t v)
{
	char text[40];
	double d = (double)v;

	if (unit == RUN_UNIT_NS)
		snprintf(text, sizeof text,
			v < 10000      ? "%.0f ns"
			: v < 10000000 ? "%.1f us"
				       : "%.1f ms",
			v < 10000      ? d
			: v < 10000000 ? d / 1e3
				       : d / 1e6);
	else if (unit == RUN_UNIT_PPM)
		snprintf(text, sizeof text, "%.1f %%", d / 1e4);
	else
		snprintf(text, sizeof text, "%.2f", unit == RUN_UNIT_MILLI ? d / 1e3 : d);
	fprintf(to, "%10s", text);
}

/* `first`: the metric that the heading names. A case that has another first says which. */
static void print_case(FILE *to, const struct run_case *c, const char *first)
{
	fprintf(to, "  %-30.*s", STR_FMT(c->name));
	if (c->n_metrics) {
		struct summary s = summary_of(&c->metrics[0]);
		print_value(to, c->metrics[0].unit, s.median);
		fprintf(to, "  [");
		print_value(to, c->metrics[0].unit, s.min);
		fprintf(to, " ..");
		print_value(to, c->metrics[0].unit, s.max);
		fprintf(to, " ]");
		if (!str_eq(c->metrics[0].name, str_of(first)))
			fprintf(to, "  (%.*s)", STR_FMT(c->metrics[0].name));
	}
	if (c->status != RUN_OK)
		fprintf(to, "  %s: %.*s", run_status_names[c->status], STR_FMT(c->cause));
	else if (c->cause.len)
		fprintf(to, "  %.*s", STR_FMT(c->cause));
	if (c->status != RUN_OK && c->remedy.len && !run_status_usable(c->status))
		fprintf(to, "; try: %.*s", STR_FMT(c->remedy));
	fprintf(to, "\n");
}

void summary_print(FILE *to, const struct run *r)
{
	for (ptrdiff_t i = 0; i < r->n_tables; i++) {
		const struct run_table *t = &r->tables[i];
		const struct probe_info *p = probe_info_find(t->probe);
		fprintf(to, "%.*s: %s, median [min .. max] of %lld passes\n", STR_FMT(t->probe),
			p ? p->metrics[0].label : "?", (long long)t->passes);
		for (ptrdiff_t k = 0; k < t->n_cases; k++)
			print_case(to, &t->cases[k], p ? p->metrics[0].name : "");
	}
}
