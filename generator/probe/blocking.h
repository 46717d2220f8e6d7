/* The ways to block that the probe "blocking" compares. Private to it. */
#ifndef RUNQ_PROBE_BLOCKING_H
#define RUNQ_PROBE_BLOCKING_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/harness.h"

/* What the two sides share. */
struct blocking {
	int fd[2], epoll; /* waited for at [0], woken by a byte into [1] */
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	sem_t sem;
	_Atomic int word;
	bool told; /* the condition, under the mutex */
	pid_t child;
	int err; /* an errno: not what was asked for */
};

struct blocking_kind {
	bool (*open)(struct blocking *b); /* NULL: nothing to open; false leaves errno */
	void (*prepare)(struct blocking *b); /* by the waker before each time; may be NULL */
	void (*block)(struct blocking *b); /* by the waiter */
	void (*wake)(struct blocking *b); /* by the waker once the waiter sleeps; NULL: it needs no waker */
};
enum {
	BLOCK_PIPE,
	BLOCK_RECV,
	BLOCK_RECV_TIMEOUT,
	BLOCK_POLL,
	BLOCK_EPOLL,
	BLOCK_FUTEX,
	BLOCK_MUTEX,
	BLOCK_COND,
	BLOCK_SEM,
	BLOCK_WAITPID,
	BLOCK_NANOSLEEP,
	BLOCK_COND_TIMED,
	BLOCK_MUTEX_FREE,
	BLOCK_YIELD,
	BLOCK_KINDS
};
extern const struct blocking_kind blocking_kinds[BLOCK_KINDS];

bool blocking_open(struct blocking *b, const struct blocking_kind *k); /* false leaves errno; then nothing is open */
void blocking_close(struct blocking *b);

#endif
