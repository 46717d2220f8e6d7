/* convoy: threads that think, take one lock, hold it for a moment and let go. With a lock that is handed over strictly in
 * order, each hand-over to a sleeper costs a switch while nobody works: threads queue behind it. A lock that anybody may
 * take is faster and less fair. Thinking is ten times the hold, so that two threads need not meet. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "probe/crew.h"
#include "probe/harness.h"
#include "probe/linux.h"

enum { ARG_LOCK, ARG_THREADS, ARG_HOLD_NS };
enum lock_kind { MUTEX, ADAPTIVE, TICKET, SPIN };
enum { ONE, PER_CPU, TWICE };
enum { HOLD_NS = 1000, THINK_TIMES = 10, SLOTS = CREW_MAX, RATE_NS = 1000000 };
static const int64_t quick_ns = 20000000, full_ns = 80000000, first_ns = 3000000;

/* A ticket lock whose waiters sleep, each on a word of its own, until it is their turn. */
struct ticket {
	_Atomic unsigned next, serving;
	struct {
		_Alignas(64) _Atomic int turns;
	} slots[SLOTS];
};

struct lock {
	_Alignas(64) atomic_flag spin; /* test and set, and nothing else */
	enum lock_kind kind;
	pthread_mutex_t mutex;
	struct ticket ticket;
};

struct member {
	struct crew *crew;
	struct lock *lock;
	uint64_t hold_rounds, think_rounds;
	int64_t hold_ns;
	int64_t taken, longest_ns;
	struct thread_use use;
};

static void ticket_take(struct ticket *t)
{
	unsigned mine = atomic_fetch_add(&t->next, 1);
	_Atomic int *turns = &t->slots[mine % SLOTS].turns;

	for (;;) {
		int seen = atomic_load(turns);
		if (atomic_load(&t->serving) == mine)
			return;
		linux_futex_wait(turns, seen, true);
	}
}

static void ticket_give(struct ticket *t)
{
	unsigned next = atomic_load(&t->serving) + 1;
	_Atomic int *turns = &t->slots[next % SLOTS].turns;

	atomic_store(&t->serving, next);
	atomic_fetch_add(turns, 1);
	if (atomic_load(&t->next) != next)
		linux_futex_wake(turns, 1, true);
}

static void take(struct lock *l)
{
	if (l->kind == TICKET)
		ticket_take(&l->ticket);
	else if (l->kind == SPIN)
		while (atomic_flag_test_and_set_explicit(&l->spin, memory_order_acquire))
			continue;
	else
		pthread_mutex_lock(&l->mutex);
}

static void give(struct lock *l)
{
	if (l->kind == TICKET)
		ticket_give(&l->ticket);
	else if (l->kind == SPIN)
		atomic_flag_clear_explicit(&l->spin, memory_order_release);
	else
		pthread_mutex_unlock(&l->mutex);
}

static void *member_main(void *arg)
{
	struct member *m = arg;

	crew_gate(m->crew);
	struct thread_use from = thread_use();
	while (!crew_stopped(m->crew)) {
		spin_work(m->think_rounds);
		/* The clock is read outside the lock: it would lengthen a short hold. */
		int64_t began = clock_ns();
		take(m->lock);
		spin_work(m->hold_rounds);
		give(m->lock);
		int64_t waited = clock_ns() - began - m->hold_ns;
		m->longest_ns = waited > m->longest_ns ? waited : m->longest_ns;
		m->taken++;
	}
	m->use = thread_use_since(from);
	return NULL;
}

static void report(struct probe_step *s, const struct member *m, int n, int64_t wall)
{
	double sum = 0, squares = 0;
	int64_t voluntary = 0, involuntary = 0, longest = 0;

	for (int i = 0; i < n; i++) {
		sum += (double)m[i].taken;
		squares += (double)m[i].taken * (double)m[i].taken;
		voluntary += m[i].use.voluntary;
		involuntary += m[i].use.involuntary;
		longest = m[i].longest_ns > longest ? m[i].longest_ns : longest;
	}
	step_param(s, "threads", n);
	if (sum < 1)
		return;
	step_value(s, "turn", (int64_t)((double)wall / sum));
	step_value(s, "rate", (int64_t)(sum * 1e9 / (double)wall));
	step_value(s, "voluntary", (int64_t)((double)voluntary * 1000 / sum));
	step_value(s, "involuntary", (int64_t)((double)involuntary * 1000 / sum));
	step_value(s, "longest", longest);
	/* Jain's index: 1 when all had the same, 1 / n when one had everything. */
	step_value(s, "fairness", (int64_t)(sum * sum / (n * squares) * 1e6));
}

static bool lock_open(struct probe_step *s, struct lock *l, enum lock_kind kind)
{
	pthread_mutexattr_t attr;

	*l = (struct lock){.kind = kind};
	pthread_mutexattr_init(&attr);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
	if (kind == ADAPTIVE)
		pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
#else
	if (kind == ADAPTIVE) {
		step_status(s, RUN_SKIPPED, "build runq-probe with glibc", "this C library has no adaptive mutex");
		return false;
	}
#endif
	int err = pthread_mutex_init(&l->mutex, &attr);
	pthread_mutexattr_destroy(&attr);
	if (err)
		step_status(s, RUN_SKIPPED, "free some memory", "no mutex: %s", strerror(err));
	return !err;
}

static void convoy_run(struct probe_step *s, const struct probe_case *c)
{
	static struct lock lock;
	static struct member members[CREW_MAX];
	static struct crew crew;
	int n = c->arg[ARG_THREADS] == ONE ? 1 : s->env->n_cpus * (c->arg[ARG_THREADS] == TWICE ? 2 : 1);
	int64_t hold = c->arg[ARG_HOLD_NS] ? c->arg[ARG_HOLD_NS] : HOLD_NS;
	double rate = work_rate(RATE_NS);

	n = n > CREW_MAX ? CREW_MAX : n;
	if (!lock_open(s, &lock, (enum lock_kind)c->arg[ARG_LOCK]))
		return;
	for (int i = 0; i < n; i++)
		members[i] = (struct member){.crew = &crew,
			.lock = &lock,
			.hold_ns = hold,
			.hold_rounds = work_rounds(rate, hold),
			.think_rounds = work_rounds(rate, hold * THINK_TIMES)};
	int err = crew_start(&crew, n, member_main, members, sizeof *members);
	if (err) {
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u', or the container's limit of processes", "no thread: %s",
			strerror(err));
		crew_join(&crew);
		return;
	}
	crew_open(&crew);
	int64_t began = clock_ns();
	clock_sleep(s->pass < 0 ? first_ns : s->env->quick ? quick_ns : full_ns);
	crew_join(&crew);
	report(s, members, n, clock_ns() - began);
	step_param(s, "hold_ns", hold);
	pthread_mutex_destroy(&lock.mutex);
}

#define CASES_OF(name, kind)                                                                                           \
	{name "-1", {kind, ONE}}, {name "-n", {kind, PER_CPU}},                                                        \
	{                                                                                                              \
		name "-2n",                                                                                            \
		{                                                                                                      \
			kind, TWICE                                                                                    \
		}                                                                                                      \
	}

static const struct probe_case cases[] = {
	CASES_OF("mutex", MUTEX),
	CASES_OF("adaptive", ADAPTIVE),
	CASES_OF("ticket", TICKET),
	{"spin-n", {SPIN, PER_CPU}},
	{"spin-2n", {SPIN, TWICE}},
	{"mutex-1-100ns", {MUTEX, ONE, 100}},
	{"mutex-n-100ns", {MUTEX, PER_CPU, 100}},
	{"mutex-2n-100ns", {MUTEX, TWICE, 100}},
	{"ticket-1-100ns", {TICKET, ONE, 100}},
	{"ticket-n-100ns", {TICKET, PER_CPU, 100}},
	{"ticket-2n-100ns", {TICKET, TWICE, 100}},
	{"mutex-1-20us", {MUTEX, ONE, 20000}},
	{"mutex-n-20us", {MUTEX, PER_CPU, 20000}},
	{"mutex-2n-20us", {MUTEX, TWICE, 20000}},
	{"ticket-1-20us", {TICKET, ONE, 20000}},
	{"ticket-n-20us", {TICKET, PER_CPU, 20000}},
	{"ticket-2n-20us", {TICKET, TWICE, 20000}},
	{0},
};

const struct probe_ops convoy_ops = {
	.name = "convoy",
	.twin = "mutex-n",
	.limit_ms = 30000,
	.cases = cases,
	.run = convoy_run,
};
