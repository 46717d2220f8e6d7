#include "model/hist.h"

#define VALUE_MAX ((INT64_C(1) << 53) - 1)

static int bucket_of(int64_t v)
{
	int shift = 0;

	while (v >> shift >= INT64_C(2) * HIST_PER_OCTAVE)
		shift++;
	return (int)(v >> shift) + shift * HIST_PER_OCTAVE;
}

/* Buckets i and i + 1 meet at the start of the latter. */
static int64_t bucket_start(int i)
{
	int shift = i < 2 * HIST_PER_OCTAVE ? 0 : i / HIST_PER_OCTAVE - 1;

	return (int64_t)(i - shift * HIST_PER_OCTAVE) << shift;
}

void hist_add(struct hist *h, int64_t v)
{
	v = v < 0 ? 0 : v > VALUE_MAX ? VALUE_MAX : v;
	h->least = h->n && h->least < v ? h->least : v;
	h->most = h->n && h->most > v ? h->most : v;
	h->counts[bucket_of(v)]++;
	h->n++;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	if (!from->n)
		return;
	into->least = into->n && into->least < from->least ? into->least : from->least;
	into->most = into->n && into->most > from->most ? into->most : from->most;
	into->n += from->n;
	for (int i = 0; i < HIST_BUCKETS; i++)
		into->counts[i] += from->counts[i];
}

int64_t hist_quantile(const struct hist *h, int64_t ppm)
{
	enum { WHOLE = 1000000 };
	/* n * ppm may not fit: whole millions and the rest apart. */
	int64_t rank = h->n / WHOLE * ppm + (h->n % WHOLE * ppm + WHOLE - 1) / WHOLE, seen = 0;
	int i = 0;

	if (!h->n)
		return RUN_NULL;
	if (rank >= h->n)
		return h->most;
	rank = rank < 1 ? 1 : rank;
	while ((seen += h->counts[i]) < rank)
		i++;
	int64_t middle = bucket_start(i) + (bucket_start(i + 1) - bucket_start(i)) / 2;
	return middle < h->least ? h->least : middle > h->most ? h->most : middle;
}

struct run_hist hist_record(const struct hist *h, struct arena *a, struct str name, enum run_unit unit)
{
	struct run_hist r = {.name = name, .unit = unit};
	ptrdiff_t n = 0;

	for (int i = 0; i < HIST_BUCKETS; i++)
		n += h->counts[i] > 0;
	r.buckets = ARENA_NEW(a, struct run_bucket, n);
	if (!r.buckets)
		return r;
	for (int i = 0; i < HIST_BUCKETS; i++)
		if (h->counts[i])
			r.buckets[r.n++] = (struct run_bucket){bucket_start(i), bucket_start(i + 1), h->counts[i]};
	/* The last bucket ends where a record's integers end. */
	if (r.n && r.buckets[r.n - 1].hi > VALUE_MAX)
		r.buckets[r.n - 1].hi = VALUE_MAX;
	return r;
}
