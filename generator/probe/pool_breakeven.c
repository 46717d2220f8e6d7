/* pool-breakeven: when does a worker pay for itself? Items of a known length, given to as many workers as there are CPUs
 * in four ways: a new thread or a new process for each item, or threads and processes that wait at a pipe. Each step
 * first does the same items alone, so that gain is a paired quotient: above one, the workers pay. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/crew.h"
#include "probe/harness.h"

enum { ARG_ITEM_US, ARG_WAY };
enum { THREAD, PROCESS, THREAD_POOL, PROCESS_POOL };
enum { WORKERS_MAX = 8, ROUNDS_LEAST = 3, RATE_NS = 1000000 };
static const int64_t quick_part_ns = 10000000, full_part_ns = 55000000, first_part_ns = 2000000;

struct worker {
	int ask[2], answer[2];
	uint64_t rounds;
	pthread_t thread;
	pid_t pid;
};

struct pool {
	struct worker workers[WORKERS_MAX];
	int n, way;
};

static void *one_item(void *arg)
{
	const struct worker *w = arg;

	spin_work(w->rounds);
	return NULL;
}

/* An item for every byte, until the pipe closes. */
static void *work_at_pipe(void *arg)
{
	struct worker *w = arg;
	char byte;

	while (read(w->ask[0], &byte, 1) == 1) {
		spin_work(w->rounds);
		if (write(w->answer[1], &byte, 1) != 1)
			break;
	}
	return NULL;
}

static int wait_for(pid_t child)
{
	while (waitpid(child, NULL, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

static int begin(struct worker *w, int way)
{
	char byte = 1;

	if (way == THREAD)
		return pthread_create(&w->thread, NULL, one_item, w);
	if (way == PROCESS) {
		w->pid = fork();
		if (w->pid == 0) {
			spin_work(w->rounds);
			_exit(0);
		}
		return w->pid < 0 ? errno : 0;
	}
	return write(w->ask[1], &byte, 1) == 1 ? 0 : errno;
}

static int end(struct worker *w, int way)
{
	char byte;

	if (way == THREAD)
		return pthread_join(w->thread, NULL);
	if (way == PROCESS)
		return wait_for(w->pid);
	return read(w->answer[0], &byte, 1) == 1 ? 0 : EPIPE;
}

/* One item for each worker. What was begun is ended, whatever happens. */
static int round_of(struct pool *p)
{
	int begun = 0, err = 0;

	while (begun < p->n && !err) {
		err = begin(&p->workers[begun], p->way);
		begun += !err;
	}
	for (int i = 0; i < begun; i++) {
		int failed = end(&p->workers[i], p->way);
		err = err ? err : failed;
	}
	return err;
}

static _Noreturn void process_main(struct pool *p, int me, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* Only the parent may hold the writing ends: their closing is the end. */
	for (int i = 0; i <= me; i++)
		close(p->workers[i].ask[1]);
	work_at_pipe(&p->workers[me]);
	_exit(0);
}

static int start_worker(struct pool *p, int i)
{
	struct worker *w = &p->workers[i];
	pid_t parent = getpid();

	if (p->way == THREAD || p->way == PROCESS)
		return 0;
	if (pipe(w->ask) != 0 || pipe(w->answer) != 0)
		return errno;
	if (p->way == THREAD_POOL)
		return pthread_create(&w->thread, NULL, work_at_pipe, w);
	w->pid = fork();
	if (w->pid == 0)
		process_main(p, i, parent);
	return w->pid < 0 ? errno : 0;
}

static int pool_start(struct pool *p, int n, int way, uint64_t rounds)
{
	int err = 0;

	*p = (struct pool){.way = way};
	while (p->n < n && !err) {
		p->workers[p->n].rounds = rounds;
		err = start_worker(p, p->n);
		p->n += !err;
	}
	return err;
}

static void pool_stop(struct pool *p)
{
	if (p->way == THREAD || p->way == PROCESS)
		return;
	for (int i = 0; i < p->n; i++)
		close(p->workers[i].ask[1]);
	for (int i = 0; i < p->n; i++) {
		struct worker *w = &p->workers[i];
		if (p->way == THREAD_POOL)
			pthread_join(w->thread, NULL);
		else
			wait_for(w->pid);
		close(w->ask[0]);
		close(w->answer[0]);
		close(w->answer[1]);
	}
}

static int64_t item_alone(uint64_t rounds, int64_t for_ns)
{
	int64_t began = clock_ns(), n = 0, wall = 0;

	while (n < ROUNDS_LEAST || wall < for_ns) {
		spin_work(rounds);
		n++;
		wall = clock_ns() - began;
	}
	return wall / n;
}

static int item_shared(struct pool *p, int64_t for_ns, int64_t *item_ns)
{
	int64_t began = 0, n = 0, wall = 0;
	int err = round_of(p);

	for (began = clock_ns(); !err && (n < ROUNDS_LEAST || wall < for_ns); n++) {
		err = round_of(p);
		wall = clock_ns() - began;
	}
	*item_ns = n ? wall / n / p->n : 0;
	return err;
}

static void pool_breakeven_run(struct probe_step *s, const struct probe_case *c)
{
	struct pool p;
	int64_t part = s->pass < 0 ? first_part_ns : s->env->quick ? quick_part_ns : full_part_ns, item = 0;
	int n = s->env->n_cpus < WORKERS_MAX ? s->env->n_cpus : WORKERS_MAX;
	uint64_t rounds = work_rounds(work_rate(RATE_NS), (int64_t)c->arg[ARG_ITEM_US] * 1000);
	int64_t alone = item_alone(rounds, part / 2);
	int err = pool_start(&p, n, c->arg[ARG_WAY], rounds);

	if (!err)
		err = item_shared(&p, part, &item);
	pool_stop(&p);
	step_param(s, "workers", n);
	step_param(s, "cpus", s->env->n_cpus);
	if (err) {
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u' and 'ulimit -n', or the container's limit of processes",
			"no workers: %s", strerror(err));
		return;
	}
	step_value(s, "item", item);
	step_value(s, "alone", alone);
	step_value(s, "gain", (int64_t)((double)alone / (double)item * 1000));
}

#define CASES_OF(name, us)                                                                                             \
	{"thread-" name, {us, THREAD}}, {"process-" name, {us, PROCESS}}, {"thread-pool-" name, {us, THREAD_POOL}},    \
	{                                                                                                              \
		"process-pool-" name,                                                                                  \
		{                                                                                                      \
			us, PROCESS_POOL                                                                               \
		}                                                                                                      \
	}

static const struct probe_case cases[] = {
	CASES_OF("10us", 10),
	CASES_OF("100us", 100),
	CASES_OF("1ms", 1000),
	{0},
};

const struct probe_ops pool_breakeven_ops = {
	.name = "pool-breakeven",
	.twin = "process-100us",
	.limit_ms = 30000,
	.cases = cases,
	.run = pool_breakeven_run,
};
