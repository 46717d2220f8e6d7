/* python-gil: the interpreter's own scheduler, asked in the interpreter itself. A short program sets the switch interval,
 * runs two threads that compute (or one) and prints the context switches of its process; gil-model explains them. */
#include <errno.h>
#include <string.h>

#include "probe/harness.h"
#include "probe/python.h"

enum { ARG_INTERVAL_US, ARG_THREADS };
enum { QUICK_MOST_US = 5000, QUICK_MS = 50, FULL_MS = 200, FIRST_MS = 10, INTERVALS_LEAST = 8 };

/* Arguments: interval in us, threads, window in ms. Prints version, GIL (1, 0), voluntary, involuntary, units, window ns. */
static const char program[] =
	"import sys,time,threading,resource\n"
	"us,n,ms=map(int,sys.argv[1:4])\n"
	"sys.setswitchinterval(us/1e6)\n"
	"stop=False\n"
	"units=[0]*n\n"
	"def spin(i):\n"
	"  while not stop:\n"
	"    for _ in range(100): pass\n"
	"    units[i]+=1\n"
	"ts=[threading.Thread(target=spin,args=(i,)) for i in range(n)]\n"
	"for t in ts: t.start()\n"
	"def now(): r=resource.getrusage(resource.RUSAGE_SELF); return "
	"r.ru_nvcsw,r.ru_nivcsw,sum(units),time.monotonic_ns()\n"
	"a=now(); time.sleep(ms/1e3); b=now(); stop=True\n"
	"for t in ts: t.join()\n"
	"gil=getattr(sys,'_is_gil_enabled',lambda:True)()\n"
	"print(sys.version_info[0]*100+sys.version_info[1],int(gil),*[y-x for x,y in zip(a,b)])\n";

struct answer {
	int64_t version, gil, voluntary, involuntary, units, wall_ns;
};

static int64_t per_second(int64_t n, const struct answer *a)
{
	return (int64_t)((double)n * 1e9 / (double)a->wall_ns);
}

static void report(struct probe_step *s, const struct probe_case *c, const struct answer *a)
{
	step_value(s, "voluntary", per_second(a->voluntary, a));
	step_value(s, "involuntary", per_second(a->involuntary, a));
	step_value(s, "units", per_second(a->units, a));
	if (c->arg[ARG_THREADS] > 1)
		step_value(s, "factor",
			(int64_t)((double)per_second(a->voluntary, a) * c->arg[ARG_INTERVAL_US] / 1e6 * 1000));
	step_param(s, "python", a->version);
	step_param(s, "gil", a->gil);
	step_param(s, "interval_us", c->arg[ARG_INTERVAL_US]);
	step_param(s, "window_ms", a->wall_ns / 1000000);
	if (!a->gil)
		step_status(s, RUN_DEGRADED, "use an interpreter with a GIL", "this Python runs without a GIL");
}

static int window_ms(const struct probe_step *s, const struct probe_case *c)
{
	int ms = s->pass < 0 ? FIRST_MS : s->env->quick ? QUICK_MS : FULL_MS;
	int least = c->arg[ARG_INTERVAL_US] * INTERVALS_LEAST / 1000;

	return s->pass >= 0 && ms < least ? least : ms;
}

static void python_gil_run(struct probe_step *s, const struct probe_case *c)
{
	int args[] = {c->arg[ARG_INTERVAL_US], c->arg[ARG_THREADS], window_ms(s, c)};
	int64_t n[6];

	if (s->env->quick && c->arg[ARG_INTERVAL_US] > QUICK_MOST_US) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: an interval of %d ms needs a long window",
			c->arg[ARG_INTERVAL_US] / 1000);
		return;
	}
	int err = python_ask(program, args, 3, n, 6);
	if (!err && n[5] <= 0)
		err = EPROTO;
	if (err) {
		python_missing(s, err);
		return;
	}
	struct answer a = {n[0], n[1], n[2], n[3], n[4], n[5]};
	report(s, c, &a);
}

static const struct probe_case cases[] = {
	{"100us", {100, 2}},
	{"1ms", {1000, 2}},
	{"5ms", {5000, 2}},
	{"50ms", {50000, 2}},
	{"5ms-alone", {5000, 1}},
	{0},
};

const struct probe_ops python_gil_ops = {
	.name = "python-gil",
	.twin = "5ms",
	.limit_ms = 60000,
	.cases = cases,
	.run = python_gil_run,
};
