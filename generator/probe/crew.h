/* Threads that begin together, and work of a known length. The caller owns the crew and the arguments; nothing is freed. */
#ifndef RUNQ_PROBE_CREW_H
#define RUNQ_PROBE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CREW_MAX = 256 };

struct crew {
	pthread_t threads[CREW_MAX];
	int n;
	_Atomic int ready;
	_Atomic bool go, stop;
};
/* Starts `n` threads with args[i] of `size` bytes each. Returns an errno; those that started wait at the gate and leave
 * it with `stop` set. */
int crew_start(struct crew *c, int n, void *(*run)(void *), void *args, size_t size);
void crew_gate(struct crew *c); /* called by each thread: waits until all are ready */
void crew_open(struct crew *c); /* waits until all are at the gate, then opens it */
void crew_join(struct crew *c); /* tells them to stop, opens the gate if it was closed, joins them */
bool crew_stopped(struct crew *c);

/* Rounds of spin_work in a nanosecond, the best of tries made for this long. */
double work_rate(int64_t for_ns);
uint64_t work_rounds(double rate, int64_t ns); /* at least 1 */

/* The value that `milli` thousandths of the n values do not exceed; sorts them. RUN_NULL if there is none. */
int64_t values_quantile(int64_t *values, ptrdiff_t n, int milli);

/* What the calling thread has used, so far or since then. */
struct thread_use {
	int64_t voluntary, involuntary, cpu_ns;
};
struct thread_use thread_use(void);
struct thread_use thread_use_since(struct thread_use then);

#endif
