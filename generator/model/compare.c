#include "model/compare.h"

static const int64_t share_ppm = 10000, wait_ns = 1000000, at_once_ppm = 50000, mean_ns = 100000, mean_percent = 15;

const char *const compare_labels[] = {"share of CPU time", "run length, median", "run length, 90th percentile",
	"wait after a wake-up, median", "waits below 0.3 ms", "wait after a wake-up, mean"};
_Static_assert(sizeof compare_labels / sizeof *compare_labels == COMPARE_WHAT_MAX, "a label for each");

bool compare_is_ppm(enum compare_what what)
{
	return what == COMPARE_SHARE || what == COMPARE_WAIT_AT_ONCE;
}

static int64_t far(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

int64_t compare_distance(const struct trace_dist *a, const struct trace_dist *b)
{
	int64_t sum = 0;

	if (!a->n || !b->n)
		return RUN_NULL;
	/* The trapezoid rule: the ends count half. */
	for (int k = 0; k < TRACE_QUANTILES; k++)
		sum += far(a->q_ns[k], b->q_ns[k]) * (k == 0 || k == TRACE_QUANTILES - 1 ? 1 : 2);
	return sum / (INT64_C(2) * (TRACE_QUANTILES - 1));
}

int64_t compare_median(int64_t *v, int n)
{
	trace_sort(v, n);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* RUN_NULL: too few to say. */
static int64_t value_of(const struct trace_task *t, enum compare_what what)
{
	bool runs = what == COMPARE_RUN_P50 || what == COMPARE_RUN_P90;
	const struct trace_dist *d = runs ? &t->runs : &t->waits;

	if (what == COMPARE_SHARE)
		return t->share_ppm;
	if (d->n < (runs ? COMPARE_RUNS_LEAST : COMPARE_WAITS_LEAST))
		return RUN_NULL;
	return what == COMPARE_WAIT_AT_ONCE ? d->under_ppm
	       : what == COMPARE_WAIT_MEAN  ? d->mean_ns
	       : what == COMPARE_RUN_P90    ? d->q_ns[TRACE_Q90]
					    : d->q_ns[TRACE_Q50];
}

static int64_t tolerance_of(enum compare_what what, int64_t median, int64_t tick_ns)
{
	int64_t part = median * mean_percent / 100;

	return what == COMPARE_SHARE	      ? share_ppm
	       : what == COMPARE_WAIT_P50     ? wait_ns
	       : what == COMPARE_WAIT_AT_ONCE ? at_once_ppm
	       : what == COMPARE_WAIT_MEAN    ? (part > mean_ns ? part : mean_ns)
					      : tick_ns;
}

/* False: nothing to say about this task in this respect. */
static bool line_of(struct compare_line *line, const struct trace_stats *predicted,
	const struct trace_stats *const *recorded, int n, int64_t *values, int64_t tick_ns)
{
	line->predicted = value_of(&predicted->tasks[line->task], line->what);
	for (int i = 0; i < n; i++) {
		values[i] = value_of(&recorded[i]->tasks[line->task], line->what);
		if (values[i] == RUN_NULL || line->predicted == RUN_NULL)
			return false;
	}
	line->median = compare_median(values, n);
	line->least = values[0];
	line->most = values[n - 1];
	line->tolerance = tolerance_of(line->what, line->median, tick_ns);
	line->agrees = far(line->predicted, line->median) <= line->tolerance;
	return true;
}

static int64_t distance_of(const struct trace_stats *predicted, const struct trace_stats *const *recorded, int n,
	int task, bool waits, int64_t *values)
{
	const struct trace_task *p = &predicted->tasks[task];

	for (int i = 0; i < n; i++) {
		const struct trace_task *t = &recorded[i]->tasks[task];
		values[i] = waits ? compare_distance(&p->waits, &t->waits) : compare_distance(&p->runs, &t->runs);
		if (values[i] == RUN_NULL)
			return RUN_NULL;
	}
	return compare_median(values, n);
}

static int64_t turns_apart(const struct trace_stats *a, const struct trace_stats *b)
{
	ptrdiff_t cells = (ptrdiff_t)(a->n + 1) * (a->n + 1);
	int64_t all_a = 0, all_b = 0, sum = 0;

	for (ptrdiff_t i = 0; i < cells; i++) {
		all_a += a->turns[i];
		all_b += b->turns[i];
	}
	if (!all_a || !all_b)
		return all_a == all_b ? 0 : 1000000;
	for (ptrdiff_t i = 0; i < cells; i++)
		sum += far(a->turns[i] * 1000000 / all_a, b->turns[i] * 1000000 / all_b);
	return sum / 2;
}

static struct str why_not(const struct trace_stats *predicted, const struct trace_stats *const *recorded, int n)
{
	if (n < 1)
		return STR("there is no recording; make one with runq trace");
	for (int i = 0; i < n; i++) {
		if (recorded[i]->n != predicted->n)
			return STR("a recording has other tasks than the scenario; record the scenario as it is now");
		for (int k = 0; k < predicted->n; k++)
			if (!str_eq(recorded[i]->tasks[k].name, predicted->tasks[k].name))
				return STR("a recording's tasks have other names; record the scenario as it is now");
	}
	return STR("");
}

struct compare_result compare_stats(struct arena *a, const struct trace_stats *predicted,
	const struct trace_stats *const *recorded, int n_recorded, int64_t tick_ns)
{
	struct str error = why_not(predicted, recorded, n_recorded);

	if (error.len)
		return (struct compare_result){.error = error};
	struct compare *c = ARENA_NEW(a, struct compare, 1);
	int64_t *values = ARENA_NEW(a, int64_t, n_recorded);
	if (!c || !values)
		return (struct compare_result){.error = STR("out of memory; compare fewer recordings")};
	c->lines = ARENA_NEW(a, struct compare_line, (ptrdiff_t)predicted->n * COMPARE_WHAT_MAX);
	c->tasks = ARENA_NEW(a, struct compare_task, predicted->n);
	if (!c->lines || !c->tasks)
		return (struct compare_result){.error = STR("out of memory; compare fewer recordings")};
	for (int task = 0; task < predicted->n; task++) {
		for (int what = 0; what < COMPARE_WHAT_MAX; what++) {
			struct compare_line *line = &c->lines[c->n];
			*line = (struct compare_line){.task = task, .what = (enum compare_what)what};
			if (!line_of(line, predicted, recorded, n_recorded, values, tick_ns))
				continue;
			c->n++;
			c->misses += !line->agrees;
		}
		c->tasks[task] =
			(struct compare_task){distance_of(predicted, recorded, n_recorded, task, false, values),
				distance_of(predicted, recorded, n_recorded, task, true, values)};
	}
	for (int i = 0; i < n_recorded; i++)
		values[i] = turns_apart(predicted, recorded[i]);
	c->turns_ppm = compare_median(values, n_recorded);
	return (struct compare_result){.compare = c};
}
