#include "probe/gil.h"

#include <errno.h>
#include <time.h>

static int cond_open(pthread_cond_t *cond)
{
	pthread_condattr_t attr;
	int err = pthread_condattr_init(&attr);

	if (err)
		return err;
	err = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (!err)
		err = pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
	return err;
}

int gil_open(struct gil *g, int64_t interval_ns, bool forced)
{
	*g = (struct gil){.interval_ns = interval_ns, .forced = forced};
	int err = pthread_mutex_init(&g->mutex, NULL);

	if (!err)
		err = pthread_mutex_init(&g->switch_mutex, NULL);
	if (!err)
		err = cond_open(&g->free);
	return err ? err : cond_open(&g->switched);
}

void gil_close(struct gil *g)
{
	pthread_cond_destroy(&g->switched);
	pthread_cond_destroy(&g->free);
	pthread_mutex_destroy(&g->switch_mutex);
	pthread_mutex_destroy(&g->mutex);
}

static struct timespec from_now(int64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns += (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

void gil_take(struct gil *g, int me)
{
	pthread_mutex_lock(&g->mutex);
	while (g->locked) {
		int64_t before = g->handoffs;
		struct timespec until = from_now(g->interval_ns);
		int err = pthread_cond_timedwait(&g->free, &g->mutex, &until);
		/* A whole interval without a change: ask. */
		if (err == ETIMEDOUT && g->locked && g->handoffs == before)
			atomic_store(&g->drop_request, true);
	}
	pthread_mutex_lock(&g->switch_mutex);
	g->locked = true;
	g->handoffs += g->holder != me;
	g->holder = me;
	pthread_cond_signal(&g->switched);
	pthread_mutex_unlock(&g->switch_mutex);
	atomic_store(&g->drop_request, false);
	pthread_mutex_unlock(&g->mutex);
}

void gil_drop(struct gil *g, int me)
{
	bool asked = gil_asked(g);

	pthread_mutex_lock(&g->mutex);
	g->locked = false;
	pthread_cond_signal(&g->free);
	pthread_mutex_unlock(&g->mutex);
	if (!g->forced || !asked)
		return;
	/* Who asked does not give up: another will have it. */
	pthread_mutex_lock(&g->switch_mutex);
	while (g->holder == me)
		pthread_cond_wait(&g->switched, &g->switch_mutex);
	pthread_mutex_unlock(&g->switch_mutex);
}

bool gil_asked(struct gil *g)
{
	return atomic_load_explicit(&g->drop_request, memory_order_relaxed);
}
