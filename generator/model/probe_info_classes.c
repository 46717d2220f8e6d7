/* The registry's entries about the order of classes, what goes wrong between tasks, and what monitors show of it. */
#include "model/probe_info_list.h"

static const struct case_info classes_cases[] = {
	{"order", "one spinner of each policy"},
	{"rttime", "FIFO, limited to 100 ms (RLIMIT_RTTIME)"},
	{"census", "all processes of the machine"},
	{0},
};

static const struct metric_info classes_metrics[] = {
	{"fifo", "share of SCHED_FIFO, priority 2", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"rr", "share of SCHED_RR, priority 1", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"other", "share of SCHED_OTHER", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"batch", "share of SCHED_BATCH", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"idle", "share of SCHED_IDLE", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"signal", "spinning until SIGXCPU came", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"tasks", "processes", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 10000000},
	{"normal", "part of them in SCHED_OTHER", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_classes = {
	.name = "classes",
	.title = "The order of the classes",
	.what = "how one CPU is shared between a spinner of each policy, when the limit on real-time CPU time strikes, "
		"and "
		"how many processes are in the ordinary class",
	.how = "five spinners on one CPU for a period of real-time bandwidth, a FIFO 99 watchdog on another; CPU time "
	       "over "
	       "the CPU time of all; a FIFO spinner with a soft RLIMIT_RTTIME of 100 ms waits for SIGXCPU; "
	       "sched_getscheduler of every process in /proc; changes no setting. SCHED_DEADLINE would come first and "
	       "is "
	       "left out: a reservation cannot be pinned to a CPU",
	.needs = "two CPUs; CAP_SYS_NICE or a limit of real-time priority; RT throttling on, or the fair server of "
		 "Linux "
		 "6.12; nothing for the census",
	.sources = "sched(7), setrlimit(2); the list of classes in kernel/sched/sched.h",
	.version = 1,
	.quick_ms = 700,
	.full_ms = 14000,
	.cases = classes_cases,
	.metrics = classes_metrics,
};

static const struct case_info inversion_cases[] = {
	{"two", "FIFO waits for a fair holder"},
	{"three", "the same, a FIFO of less priority spins"},
	{"three-inherit", "the same, the lock passes priority on"},
	{0},
};

static const struct metric_info inversion_metrics[] = {
	{"wait", "wait for the lock", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 10 * SECOND},
	{0},
};

const struct probe_info probe_info_inversion = {
	.name = "inversion",
	.title = "Waiting for a lesser task",
	.what = "how long the most important task waits for a lock that a fair task holds while another spins in "
		"between",
	.how = "three threads on one CPU: a fair one takes the lock and works for 5 ms, FIFO 3 asks for it, FIFO 2 "
	       "spins for "
	       "40 ms; once with an ordinary mutex, once with PTHREAD_PRIO_INHERIT; a FIFO 99 watchdog on another CPU; "
	       "changes no setting",
	.needs = "two CPUs; CAP_SYS_NICE or a limit of real-time priority; RT throttling on, or the fair server of "
		 "Linux 6.12",
	.sources = "pthread_mutexattr_setprotocol(3); Documentation/locking/rt-mutex-design.rst",
	.version = 1,
	.quick_ms = 500,
	.full_ms = 1200,
	.cases = inversion_cases,
	.metrics = inversion_metrics,
};

static const struct case_info race_cases[] = {
	{"two-cpus", "two CPUs"},
	{"two-cpus-yield", "two CPUs, yielding after each"},
	{"two-cpus-atomic", "two CPUs, atomic additions"},
	{"one-cpu", "one CPU"},
	{"one-cpu-yield", "one CPU, yielding after each"},
	{0},
};

static const struct metric_info race_metrics[] = {
	{"lost", "additions lost", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"rate", "additions a second, both threads", RUN_UNIT_COUNT, METRIC_COST, 1, INT64_C(100000000000)},
	{0},
};

const struct probe_info probe_info_race = {
	.name = "race",
	.title = "Yielding is no lock",
	.what = "how many additions to one counter two threads lose, with and without sched_yield",
	.how = "two pinned threads read, add and write for some milliseconds; what the counter holds is compared with "
	       "what "
	       "they did",
	.needs = "two CPUs for the cases on two CPUs",
	.sources = "sched_yield(2)",
	.version = 1,
	.quick_ms = 300,
	.full_ms = 1500,
	.cases = race_cases,
	.metrics = race_metrics,
};

static const struct case_info proc_stat_cases[] = {
	{"spin", "one spinner on one CPU"},
	{"spin-nice-5", "one spinner of nice 5 on one CPU"},
	{"crowd", "two spinners on each CPU"},
	{"quota-quarter", "one spinner, 25 of 100 ms"},
	{0},
};

static const struct metric_info proc_stat_metrics[] = {
	{"user", "user column of the spinner's CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"nice", "nice column of the spinner's CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"idle", "idle column of the spinner's CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"average-idle", "idle column, average of all CPUs", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"running", "procs_running without the reader", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, -1000, 1000000000},
	{"load", "load average of a minute, at the end", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000000},
	{0},
};

const struct probe_info probe_info_proc_stat = {
	.name = "proc-stat",
	.title = "What monitors show",
	.what = "what the columns of /proc/stat, procs_running and the load average say of a spinner, of one with a "
		"nice "
		"value, of two a CPU, and of one held back by a quota",
	.how = "pinned spinners; /proc/stat is read every 20 ms from another CPU and its columns are divided by their "
	       "sum; "
	       "they count hundredths of a second",
	.needs = "a cgroup that may be given children with the cpu controller for the quota",
	.sources = "proc(5); fs/proc/stat.c, kernel/sched/loadavg.c",
	.version = 1,
	.quick_ms = 200,
	.full_ms = 7000,
	.cases = proc_stat_cases,
	.metrics = proc_stat_metrics,
};
