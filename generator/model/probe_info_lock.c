/* The registry's entries about schedulers on top of the kernel's: locks and interpreters. */
#include "model/probe_info_list.h"

static const struct case_info convoy_cases[] = {
	{"mutex-1", "mutex, one thread, 1 \xc2\xb5s"},
	{"mutex-n", "mutex, a thread per CPU, 1 \xc2\xb5s"},
	{"mutex-2n", "mutex, two threads per CPU, 1 \xc2\xb5s"},
	{"adaptive-1", "adaptive mutex, one thread, 1 \xc2\xb5s"},
	{"adaptive-n", "adaptive mutex, a thread per CPU, 1 \xc2\xb5s"},
	{"adaptive-2n", "adaptive mutex, two per CPU, 1 \xc2\xb5s"},
	{"ticket-1", "in order, one thread, 1 \xc2\xb5s"},
	{"ticket-n", "in order, a thread per CPU, 1 \xc2\xb5s"},
	{"ticket-2n", "in order, two threads per CPU, 1 \xc2\xb5s"},
	{"spin-n", "test and set, a thread per CPU, 1 \xc2\xb5s"},
	{"spin-2n", "test and set, two threads per CPU, 1 \xc2\xb5s"},
	{"mutex-1-100ns", "mutex, one thread, 0.1 \xc2\xb5s"},
	{"mutex-n-100ns", "mutex, a thread per CPU, 0.1 \xc2\xb5s"},
	{"mutex-2n-100ns", "mutex, two threads per CPU, 0.1 \xc2\xb5s"},
	{"ticket-1-100ns", "in order, one thread, 0.1 \xc2\xb5s"},
	{"ticket-n-100ns", "in order, a thread per CPU, 0.1 \xc2\xb5s"},
	{"ticket-2n-100ns", "in order, two threads per CPU, 0.1 \xc2\xb5s"},
	{"mutex-1-20us", "mutex, one thread, 20 \xc2\xb5s"},
	{"mutex-n-20us", "mutex, a thread per CPU, 20 \xc2\xb5s"},
	{"mutex-2n-20us", "mutex, two threads per CPU, 20 \xc2\xb5s"},
	{"ticket-1-20us", "in order, one thread, 20 \xc2\xb5s"},
	{"ticket-n-20us", "in order, a thread per CPU, 20 \xc2\xb5s"},
	{"ticket-2n-20us", "in order, two threads per CPU, 20 \xc2\xb5s"},
	{0},
};

static const struct metric_info convoy_metrics[] = {
	{"turn", "wall time per hold, all threads", RUN_UNIT_NS, METRIC_COST, 10, 10 * SECOND},
	{"rate", "holds per second", RUN_UNIT_COUNT, METRIC_COST, 0, INT64_C(100000000)},
	{"voluntary", "voluntary switches per hold", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000},
	{"involuntary", "involuntary switches per hold", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000},
	{"longest", "the longest wait for the lock", RUN_UNIT_NS, METRIC_COST, -SECOND, 10 * SECOND},
	{"fairness", "evenness of the holds, by Jain's index", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_convoy = {
	.name = "convoy",
	.title = "Queues at a lock",
	.what = "how often one lock can be held when more threads want it, with four kinds of lock",
	.how = "threads on any CPU think ten times as long as they hold a mutex, an adaptive mutex, or a lock handed "
	       "over "
	       "strictly in order whose waiters sleep, or one that is spun for (test and set); holds, switches and the "
	       "longest wait are counted over a window",
	.needs = "glibc for the adaptive mutex; two CPUs for a thread per CPU to meet another",
	.sources = "futex(2), pthread_mutexattr_settype(3); Blasgen and others, The convoy phenomenon (1979)",
	.version = 1,
	.quick_ms = 3100,
	.full_ms = 12600,
	.cases = convoy_cases,
	.metrics = convoy_metrics,
};

static const struct case_info gil_model_cases[] = {
	{"50us", "two compute, interval 50 \xc2\xb5s"},
	{"500us", "two compute, interval 500 \xc2\xb5s"},
	{"5ms", "two compute, interval 5 ms"},
	{"100ms", "two compute, interval 100 ms"},
	{"50us-unforced", "two compute, 50 \xc2\xb5s, unforced"},
	{"5ms-unforced", "two compute, 5 ms, unforced"},
	{"50us-sleeper", "one computes, one sleeps, 50 \xc2\xb5s"},
	{"500us-sleeper", "one computes, one sleeps, 500 \xc2\xb5s"},
	{"5ms-sleeper", "one computes, one sleeps, 5 ms"},
	{"100ms-sleeper", "one computes, one sleeps, 100 ms"},
	{"5ms-slow-loop", "one does slower work, 5 ms"},
	{"5ms-slow-duty", "one is on a slow core, 5 ms"},
	{"5ms-slow-nice", "one has nice 19, 5 ms"},
	{"5ms-slow-loop-unforced", "one does slower work, 5 ms, unforced"},
	{"5ms-slow-duty-unforced", "one is on a slow core, 5 ms, unforced"},
	{"5ms-slow-nice-unforced", "one has nice 19, 5 ms, unforced"},
	{0},
};

/* A response may be long where the interval is; a wait of minutes would be a hang. */
static const struct metric_info gil_model_metrics[] = {
	{"handoffs", "changes of the holder per second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1000000},
	{"factor", "changes of the holder per interval", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000},
	{"voluntary", "voluntary switches per second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 10000000},
	{"involuntary", "involuntary switches per second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 10000000},
	{"useful", "part of the time that was computed", RUN_UNIT_PPM, METRIC_COST, 0, 2 * WHOLE_PPM},
	{"p50", "half of the responses within", RUN_UNIT_NS, METRIC_COST, 0, 60 * SECOND},
	{"p99", "99 of 100 responses within", RUN_UNIT_NS, METRIC_COST, 0, 60 * SECOND},
	{"work2", "part of the work done by the slow one", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"held2", "part of the holding by the slow one", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_gil_model = {
	.name = "gil-model",
	.title = "A model of the interpreter's lock",
	.what = "how often an interpreter's lock changes hands, what a sleeper waits for it, what a slow thread gets",
	.how = "a mutex, a condition and a request to let go after an interval of waiting, with or without waiting "
	       "until "
	       "another had it, as in CPython; threads compute in units of a microsecond on any CPU; the slow core is "
	       "a thread that a signal stops for six parts in seven of the time",
	.needs = "two CPUs for nice to make no difference",
	.sources = "Python/ceval_gil.c of CPython, FORCE_SWITCHING",
	.version = 1,
	.quick_ms = 3820,
	.full_ms = 16000,
	.cases = gil_model_cases,
	.metrics = gil_model_metrics,
};

static const struct case_info python_gil_cases[] = {
	{"100us", "two threads of Python, interval 100 \xc2\xb5s"},
	{"1ms", "two threads of Python, interval 1 ms"},
	{"5ms", "two threads of Python, interval 5 ms"},
	{"50ms", "two threads of Python, interval 50 ms"},
	{"5ms-alone", "one thread of Python, interval 5 ms"},
	{0},
};

static const struct metric_info python_gil_metrics[] = {
	{"voluntary", "voluntary switches per second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 10000000},
	{"involuntary", "involuntary switches per second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 10000000},
	{"factor", "voluntary switches per interval", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000},
	{"units", "loops of 100 steps per second", RUN_UNIT_COUNT, METRIC_COST, 0, INT64_C(1000000000)},
	{0},
};

const struct probe_info probe_info_python_gil = {
	.name = "python-gil",
	.title = "The lock in Python itself",
	.what = "how often two computing threads of a Python process switch at which switch interval",
	.how = "python3 -I runs a short program that sets sys.setswitchinterval, computes in threads and reads its "
	       "own getrusage over a window; the interpreter's start is not measured",
	.needs = "python3 in PATH, with a GIL",
	.sources = "sys.setswitchinterval in Python's library reference; getrusage(2)",
	.version = 1,
	.quick_ms = 2500,
	.full_ms = 10000,
	.cases = python_gil_cases,
	.metrics = python_gil_metrics,
};

static const struct case_info event_loop_cases[] = {
	{"one-thread", "the call in the loop's own thread"},
	{"two-threads", "the call in a thread of its own"},
	{"two-threads-same", "a thread of its own, same CPU"},
	{0},
};

static const struct metric_info event_loop_metrics[] = {
	{"p99", "99 of 100 ticks late by at most", RUN_UNIT_NS, METRIC_COST, 0, 60 * SECOND},
	{"p50", "half of the ticks late by at most", RUN_UNIT_NS, METRIC_COST, 0, 60 * SECOND},
	{"part", "the 99 of 100, in lengths of the call", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000},
	{0},
};

const struct probe_info probe_info_event_loop = {
	.name = "event-loop",
	.title = "One call that does not come back",
	.what = "how late the ticks of a cooperative loop are when one call computes for a quarter of the time",
	.how = "a tick is due every 2 ms; lateness counts from when it was due, so that ticks missed during the call "
	       "count; the call is made in the loop, or by another thread on any CPU or on the same",
	.needs = "two CPUs for the case of two threads",
	.sources = "clock_nanosleep(2), prctl(2) PR_SET_TIMERSLACK",
	.version = 1,
	.quick_ms = 1200,
	.full_ms = 4800,
	.cases = event_loop_cases,
	.metrics = event_loop_metrics,
};
