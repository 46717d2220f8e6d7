/* An interpreter's lock after CPython's Python/ceval_gil.c: a mutex with a condition; who waits longer than the interval
 * asks the holder to let go; when forced, a holder that was asked waits until another has had the lock. */
#ifndef RUNQ_PROBE_GIL_H
#define RUNQ_PROBE_GIL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct gil {
	pthread_mutex_t mutex, switch_mutex;
	pthread_cond_t free, switched;
	bool locked; /* under mutex */
	int holder; /* the last one; under both */
	int64_t handoffs; /* under mutex: how often the holder changed */
	_Atomic bool drop_request;
	int64_t interval_ns;
	bool forced;
};

/* Returns an errno. gil_close only after success. */
int gil_open(struct gil *g, int64_t interval_ns, bool forced);
void gil_close(struct gil *g);
void gil_take(struct gil *g, int me); /* me: not 0, one for each thread */
void gil_drop(struct gil *g, int me);
bool gil_asked(struct gil *g); /* somebody wants it: drop it and take it again */

#endif
