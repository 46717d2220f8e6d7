/* The aggregates median(x), quantile(x, q) and mad(x), also over windows. NULLs are left out; nothing gives NULL. */
#include "store/internal.h"

#include <math.h>
#include <string.h>

#include "model/stats.h"

enum { VALUES_MAX = 1 << 22 };

struct gathered {
	double *values; /* of which the first `gone` have left the window */
	ptrdiff_t n, cap, gone;
	double q;
};

static void add(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, sizeof *g);
	int type = sqlite3_value_type(v[0]);

	if (!g) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	if (n == 2)
		g->q = sqlite3_value_type(v[1]) == SQLITE_NULL ? (double)NAN : sqlite3_value_double(v[1]);
	if (type == SQLITE_NULL)
		return;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		sqlite3_result_error(ctx, "median, quantile and mad take numbers, not text", -1);
		return;
	}
	if (g->n == g->cap) {
		ptrdiff_t cap = g->cap ? 2 * g->cap : 64;
		double *more =
			cap > VALUES_MAX ? NULL : sqlite3_realloc64(g->values, (sqlite3_uint64)cap * sizeof *more);
		if (!more) {
			sqlite3_result_error(ctx, "too many values for median, quantile or mad; narrow the query", -1);
			return;
		}
		g->values = more;
		g->cap = cap;
	}
	g->values[g->n++] = sqlite3_value_double(v[0]);
}

/* Rows leave a window in the order they came in. */
static void drop(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, sizeof *g);

	(void)n;
	if (!g || g->n == g->gone || sqlite3_value_type(v[0]) == SQLITE_NULL)
		return;
	if (++g->gone < g->n / 2 + 32)
		return;
	g->n -= g->gone;
	memmove(g->values, g->values + g->gone, (size_t)g->n * sizeof *g->values);
	g->gone = 0;
}

static void give(sqlite3_context *ctx, double x)
{
	if (isnan(x))
		sqlite3_result_null(ctx);
	else
		sqlite3_result_double(ctx, x);
}

static void release(sqlite3_context *ctx)
{
	struct gathered *g = sqlite3_aggregate_context(ctx, 0);

	if (g) {
		sqlite3_free(g->values);
		*g = (struct gathered){0};
	}
}

static void median_now(sqlite3_context *ctx)
{
	const struct gathered *g = sqlite3_aggregate_context(ctx, 0);
	struct store *s = sqlite3_user_data(ctx);

	if (g && g->n > g->gone)
		give(ctx, stats_median(g->values + g->gone, g->n - g->gone, s->scratch));
}

static void quantile_now(sqlite3_context *ctx)
{
	const struct gathered *g = sqlite3_aggregate_context(ctx, 0);
	struct store *s = sqlite3_user_data(ctx);

	if (!g || g->n == g->gone || isnan(g->q))
		return;
	if (g->q < 0 || g->q > 1)
		sqlite3_result_error(ctx, "quantile(x, q) takes a q from 0 to 1", -1);
	else
		give(ctx, stats_quantile(g->values + g->gone, g->n - g->gone, g->q, s->scratch));
}

static void mad_now(sqlite3_context *ctx)
{
	const struct gathered *g = sqlite3_aggregate_context(ctx, 0);
	struct store *s = sqlite3_user_data(ctx);

	if (g && g->n > g->gone)
		give(ctx, stats_mad(g->values + g->gone, g->n - g->gone, s->scratch));
}

static void median_end(sqlite3_context *ctx)
{
	median_now(ctx);
	release(ctx);
}

static void quantile_end(sqlite3_context *ctx)
{
	quantile_now(ctx);
	release(ctx);
}

static void mad_end(sqlite3_context *ctx)
{
	mad_now(ctx);
	release(ctx);
}

bool store_add_aggregates(struct store *s)
{
	static const struct {
		const char *name;
		int args;
		void (*end)(sqlite3_context *), (*now)(sqlite3_context *);
	} aggregates[] = {
		{"median", 1, median_end, median_now},
		{"quantile", 2, quantile_end, quantile_now},
		{"mad", 1, mad_end, mad_now},
	};

	for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++)
		if (sqlite3_create_window_function(s->db, aggregates[i].name, aggregates[i].args,
			    SQLITE_UTF8 | SQLITE_DETERMINISTIC, s, add, aggregates[i].end, aggregates[i].now, drop,
			    NULL) != SQLITE_OK)
			return store_fail(s, aggregates[i].name);
	return true;
}
