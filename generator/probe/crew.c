#include "probe/crew.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "probe/harness.h"

enum { RATE_ROUNDS = 2500, GATE_NAP_NS = 50000 };

int crew_start(struct crew *c, int n, void *(*run)(void *), void *args, size_t size)
{
	*c = (struct crew){0};
	if (n > CREW_MAX)
		return EINVAL;
	for (int i = 0; i < n; i++) {
		int err = pthread_create(&c->threads[i], NULL, run, (char *)args + (size_t)i * size);
		if (err)
			return err;
		c->n++;
	}
	return 0;
}

void crew_gate(struct crew *c)
{
	atomic_fetch_add(&c->ready, 1);
	while (!atomic_load(&c->go))
		clock_sleep(GATE_NAP_NS);
}

void crew_open(struct crew *c)
{
	while (atomic_load(&c->ready) < c->n)
		clock_sleep(GATE_NAP_NS);
	atomic_store(&c->go, true);
}

void crew_join(struct crew *c)
{
	atomic_store(&c->stop, true);
	atomic_store(&c->go, true);
	for (int i = 0; i < c->n; i++)
		pthread_join(c->threads[i], NULL);
	c->n = 0;
}

bool crew_stopped(struct crew *c)
{
	return atomic_load_explicit(&c->stop, memory_order_relaxed);
}

double work_rate(int64_t for_ns)
{
	int64_t best = INT64_MAX, start = clock_ns(), now = start;

	do {
		int64_t from = now;
		spin_work(RATE_ROUNDS);
		now = clock_ns();
		best = now - from < best ? now - from : best;
	} while (now - start < for_ns);
	return (double)RATE_ROUNDS / (double)(best > 0 ? best : 1);
}

uint64_t work_rounds(double rate, int64_t ns)
{
	double rounds = rate * (double)ns;

	return rounds < 1 ? 1 : (uint64_t)rounds;
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int64_t values_quantile(int64_t *values, ptrdiff_t n, int milli)
{
	if (n <= 0)
		return RUN_NULL;
	qsort(values, (size_t)n, sizeof *values, compare);
	ptrdiff_t at = (n * milli + 999) / 1000 - 1;
	return values[at < 0 ? 0 : at];
}

struct thread_use thread_use(void)
{
	struct rusage u;
	struct timespec t;

	getrusage(RUSAGE_THREAD, &u);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (struct thread_use){u.ru_nvcsw, u.ru_nivcsw, (int64_t)t.tv_sec * 1000000000 + t.tv_nsec};
}

struct thread_use thread_use_since(struct thread_use then)
{
	struct thread_use now = thread_use();

	return (struct thread_use){
		now.voluntary - then.voluntary, now.involuntary - then.involuntary, now.cpu_ns - then.cpu_ns};
}
