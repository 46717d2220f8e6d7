#include "model/noise.h"

#include <math.h>

#include "model/stats.h"

static const struct run_case *case_of(const struct run_table *t, struct str name)
{
	for (ptrdiff_t i = 0; i < t->n_cases; i++)
		if (str_eq(t->cases[i].name, name))
			return &t->cases[i];
	return NULL;
}

static const struct run_metric *metric_of(const struct run_case *c, struct str name)
{
	for (ptrdiff_t i = 0; c && run_status_usable(c->status) && i < c->n_metrics; i++)
		if (str_eq(c->metrics[i].name, name))
			return &c->metrics[i];
	return NULL;
}

static double *values_of(const struct run_metric *m, struct arena *a)
{
	double *v = ARENA_NEW(a, double, m->n);

	for (ptrdiff_t i = 0; i < m->n; i++)
		v[i] = m->values[i] == RUN_NULL ? (double)NAN : (double)m->values[i];
	return v;
}

/* The passes of the repeated case and of its twin. */
struct twins {
	double *a, *b;
	ptrdiff_t n; /* 0: none */
};

static struct twins twins_of(const struct run_table *t, struct str metric, struct arena *arena)
{
	for (ptrdiff_t i = 0; i < t->n_cases; i++) {
		if (!t->cases[i].twin.len)
			continue;
		const struct run_metric *first = metric_of(case_of(t, t->cases[i].twin), metric);
		const struct run_metric *again = metric_of(&t->cases[i], metric);
		if (first && again)
			return (struct twins){values_of(first, arena), values_of(again, arena),
				first->n < again->n ? first->n : again->n};
	}
	return (struct twins){0};
}

double table_noise(const struct run_table *t, struct str metric, struct arena scratch)
{
	struct twins w = twins_of(t, metric, &scratch);

	return stats_noise(w.a, w.b, w.n, scratch);
}

double table_noise_at(const struct run_table *t, struct str metric, double median, struct arena scratch)
{
	struct twins w = twins_of(t, metric, &scratch);
	double fraction = stats_noise(w.a, w.b, w.n, scratch);

	return isnan(fraction) ? stats_gap(w.a, w.b, w.n) : fraction * fabs(median);
}
