/* python-gil: the interpreter's own scheduler, asked in the interpreter itself. A short program sets the switch interval,
 * runs two threads that compute (or one) and prints the context switches of its process; gil-model explains them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"

enum { ARG_INTERVAL_US, ARG_THREADS };
enum { QUICK_MOST_US = 5000, QUICK_MS = 50, FULL_MS = 200, FIRST_MS = 10, INTERVALS_LEAST = 8, NO_PYTHON = 127 };

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

/* Starts it with its output in a pipe; it dies with us. Returns an errno. */
static int start(char *const argv[], int *out, pid_t *child)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe(ends) != 0)
		return errno;
	*child = fork();
	if (*child == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent || null < 0 || dup2(null, 2) < 0 || dup2(ends[1], 1) < 0)
			_exit(1);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[0], argv);
		_exit(NO_PYTHON);
	}
	int err = *child < 0 ? errno : 0;
	close(ends[1]);
	if (err)
		close(ends[0]);
	*out = ends[0];
	return err;
}

static bool read_answer(int fd, struct answer *a)
{
	int64_t *const fields[] = {&a->version, &a->gil, &a->voluntary, &a->involuntary, &a->units, &a->wall_ns};
	char text[256] = {0}, *at = text;
	size_t n = 0;
	ssize_t got;

	while (n < sizeof text - 1 &&
		((got = read(fd, text + n, sizeof text - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		char *end;
		*fields[i] = strtoll(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return a->wall_ns > 0;
}

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
	char code[sizeof program], interval[16], threads[16], window[16], name[] = "python3", isolated[] = "-I",
									  run[] = "-c";
	char *const argv[] = {name, isolated, run, code, interval, threads, window, NULL};
	struct answer a;
	pid_t child = -1;
	int out = -1, status = 0;

	if (s->env->quick && c->arg[ARG_INTERVAL_US] > QUICK_MOST_US) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: an interval of %d ms needs a long window",
			c->arg[ARG_INTERVAL_US] / 1000);
		return;
	}
	memcpy(code, program, sizeof program);
	snprintf(interval, sizeof interval, "%d", c->arg[ARG_INTERVAL_US]);
	snprintf(threads, sizeof threads, "%d", c->arg[ARG_THREADS]);
	snprintf(window, sizeof window, "%d", window_ms(s, c));
	int err = start(argv, &out, &child);
	if (err) {
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u' and 'ulimit -n'", "python3 does not start: %s",
			strerror(err));
		return;
	}
	bool ok = read_answer(out, &a);
	close(out);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (ok)
		report(s, c, &a);
	else if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PYTHON)
		step_status(s, RUN_SKIPPED, "install python3", "no python3 in PATH");
	else
		step_status(s, RUN_SKIPPED, "install a python3 of 3.8 or later with its standard library",
			"python3 did not run the program");
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
