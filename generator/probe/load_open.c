#include "probe/load_open.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t nap_ns = 500000;

/* -ln(u) for u in (0, 1): halvings, then the series of artanh. No libm: the probe links libc alone. */
static double minus_ln(double u)
{
	double ln2 = 0.69314718055994531;
	int halvings = 0;

	while (u < 0.5) {
		u *= 2;
		halvings++;
	}
	double z = (1 - u) / (1 + u), square = z * z, power = z, sum = 0;
	for (int k = 1; k < 40; k += 2, power *= square)
		sum += power / k;
	return (double)halvings * ln2 + 2 * sum;
}

int open_schedule(int64_t *due_ns, int max, int64_t every_ns, int64_t window_ns)
{
	uint64_t x = 86; /* with it 30 mean distances hold 30 requests, 100 hold 100 */
	double at = 0;
	int n = 0;

	/* The top 53 bits of a linear congruential generator (Knuth's MMIX); never 0. */
	while (n < max) {
		x = x * 6364136223846793005U + 1442695040888963407U;
		at += minus_ln(((double)(x >> 11) + 0.5) / 9007199254740992.0) * (double)every_ns;
		if (at >= (double)window_ns)
			break;
		due_ns[n++] = (int64_t)at;
	}
	return n;
}

struct worker {
	struct open_load *load;
	int number;
};

static void serve(struct open_load *l, int number)
{
	int64_t ran = 0, now;

	for (int64_t at = clock_ns(); ran < l->plan.work_ns; at = now) {
		now = clock_ns();
		/* A turn of another task is a gap as well: it counts as work that was not done. */
		ran += now - at < l->plan.gap_ns / 10 ? now - at : 0;
		if (now - at >= l->plan.gap_ns)
			atomic_fetch_add(&l->stalls[number], 1);
	}
}

static void *work(void *arg)
{
	struct worker *me = arg;
	struct open_load *l = me->load;

	while (!atomic_load(&l->go))
		clock_sleep(nap_ns);
	for (int i; (i = atomic_fetch_add(&l->next, 1)) < l->n;) {
		int64_t due = l->began_ns + l->due_ns[i], now = clock_ns();
		if (due > now)
			clock_sleep(due - now);
		serve(l, me->number);
		l->latency_ns[i] = clock_ns() - due;
	}
	atomic_fetch_add(&l->ended, 1);
	return NULL;
}

static _Noreturn void be_server(struct open_load *l, pid_t parent)
{
	struct worker workers[OPEN_WORKERS_MAX];
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (int i = 0; i < l->workers; i++) {
		workers[i] = (struct worker){l, i};
		if (pthread_create(&thread, NULL, work, &workers[i]) != 0)
			atomic_fetch_add(&l->ended, 1);
	}
	for (;;)
		pause();
}

struct open_load *open_load_start(struct probe_step *s, struct guard *guard, struct open_plan plan)
{
	struct open_load *l = mmap(NULL, sizeof *l, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t parent = getpid();

	if (l == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return NULL;
	}
	l->plan = plan;
	l->workers = plan.workers < OPEN_WORKERS_MAX ? plan.workers : OPEN_WORKERS_MAX;
	l->n = open_schedule(l->due_ns, OPEN_REQUESTS_MAX, plan.every_ns, plan.window_ns);
	(void)fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		be_server(l, parent);
	if (child < 0) {
		step_status(s, RUN_FAILED, "raise ulimit -u", "no process: %s", strerror(errno));
		munmap(l, sizeof *l);
		return NULL;
	}
	l->pid = child;
	guard_pid(guard, child);
	return l;
}

void open_load_run(struct open_load *l)
{
	l->began_ns = clock_ns();
	atomic_store(&l->go, true);
	while (atomic_load(&l->ended) < l->workers && clock_ns() < l->began_ns + 2 * l->plan.window_ns)
		clock_sleep(nap_ns);
}

void open_load_end(struct open_load *l)
{
	if (!l)
		return;
	kill(l->pid, SIGKILL);
	while (waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	munmap(l, sizeof *l);
}
