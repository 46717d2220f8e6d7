/* python-start: the dear end of the price list. What the start of an interpreter costs, and what one more worker process
 * costs a running one by each of multiprocessing's ways. */
#include <errno.h>
#include <string.h>

#include "probe/harness.h"
#include "probe/python.h"

enum { ARG_WAY };
enum { START, MP_FORK, MP_FORKSERVER, MP_SPAWN };
enum { STARTS_QUICK = 2, STARTS_FULL = 4, WORKERS_FULL = 5 };

/* Arguments: way, workers. Prints version, ns per worker; the first worker, which brings the server up, is not timed. */
static const char workers_program[] = "import sys,os,time,multiprocessing as m\n"
				      "way,n=map(int,sys.argv[1:3])\n"
				      "c=m.get_context(['','fork','forkserver','spawn'][way])\n"
				      "def one():\n"
				      "  p=c.Process(target=os.getpid); p.start(); p.join()\n"
				      "one(); t=time.monotonic_ns()\n"
				      "for _ in range(n): one()\n"
				      "print(sys.version_info[0]*100+sys.version_info[1],(time.monotonic_ns()-t)//n)\n";

static int time_starts(int n, int64_t *each_ns)
{
	int64_t began = clock_ns();
	int err = 0;

	for (int i = 0; i < n && !err; i++)
		err = python_ask("pass", NULL, 0, NULL, 0);
	*each_ns = (clock_ns() - began) / n;
	return err;
}

static void python_start_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t answer[2] = {0}, wall = 0;
	int args[] = {c->arg[ARG_WAY], s->pass < 0 ? 1 : WORKERS_FULL}, n = s->env->quick ? STARTS_QUICK : STARTS_FULL,
	    err;

	if (s->env->quick && c->arg[ARG_WAY] != START) {
		step_status(
			s, RUN_SKIPPED, "run it without --quick", "quick: several starts of an interpreter take long");
		return;
	}
	if (c->arg[ARG_WAY] == START) {
		err = time_starts(s->pass < 0 ? 1 : n, &wall);
		step_param(s, "ops", n);
	} else {
		err = python_ask(workers_program, args, 2, answer, 2);
		wall = answer[1];
		step_param(s, "python", answer[0]);
		step_param(s, "ops", WORKERS_FULL);
	}
	if (err)
		python_missing(s, err);
	else
		step_value(s, "wall", wall);
}

static const struct probe_case cases[] = {
	{"start", {START}},
	{"worker-fork", {MP_FORK}},
	{"worker-forkserver", {MP_FORKSERVER}},
	{"worker-spawn", {MP_SPAWN}},
	{0},
};

const struct probe_ops python_start_ops = {
	.name = "python-start",
	.twin = "start",
	.limit_ms = 60000,
	.cases = cases,
	.run = python_start_run,
};
