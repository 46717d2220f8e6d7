/* The entries of the probes that read the kernel's counters: states, switches, turns, ticks, clocks, noise. */
#include "model/probe_info_list.h"

#define PER_SECOND_MAX (1000 * MS) /* a million a second, in thousandths */
#define SHARE_MAX (WHOLE_PPM + WHOLE_PPM / 20) /* clocks of two parts are not read at one instant */
#define CPUS_PPM_MAX (1024 * WHOLE_PPM)

static const struct case_info sweep_cases[] = {
	{"1", "one thread"},
	{"half-n", "half as many threads as CPUs"},
	{"n", "as many threads as CPUs"},
	{"n-plus-1", "one thread more than CPUs"},
	{"2n", "two threads for each CPU"},
	{"4n", "four threads for each CPU"},
	{"spread", "two threads a CPU, set free from one CPU"},
	{0},
};

static const struct metric_info sweep_metrics[] = {
	{"work", "units of work a second", RUN_UNIT_COUNT, METRIC_COST, 1, INT64_C(1000000000000)},
	{"involuntary", "involuntary switches a second", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000 * PER_SECOND_MAX},
	{"waiting", "time that a thread waited for a CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"cpus", "CPUs that the threads got", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 1, 1024000},
	{"fairness", "least over most work of a thread", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"finish", "time for a fixed amount of work", RUN_UNIT_NS, METRIC_COST, 1000, 100 * SECOND},
	{"spread", "time until each CPU runs a thread", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 10 * SECOND},
	{0},
};

const struct probe_info probe_info_sweep = {
	.name = "sweep",
	.title = "More threads than CPUs",
	.what = "what twice or four times as many threads as CPUs gain in work, and what they pay in waiting",
	.how = "threads that only compute, none of them pinned; the work of a fixed time is counted, then a fixed "
	       "amount of work is timed; switches come from getrusage, waiting from /proc/PID/schedstat; N is the "
	       "number of CPUs of the affinity or of the cgroup's quota, whichever is less; for spread, threads pinned "
	       "to one CPU are given all of them, which is undone when they end",
	.needs = "schedstat for the waiting times",
	.sources = "getrusage(2), sched(7), sched_setaffinity(2); Documentation/scheduler/sched-stats.rst",
	.version = 1,
	.quick_ms = 3820,
	.full_ms = 14000,
	.cases = sweep_cases,
	.metrics = sweep_metrics,
};

static const struct case_info states_cases[] = {
	{"4-spin", "four spinners on two CPUs"},
	{"2-spin-2-sleep", "two spinners, two sleepers on two CPUs"},
	{0},
};

static const struct metric_info states_metrics[] = {
	{"running", "time that a spinner ran", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"waiting", "time that a spinner waited for a CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"shown-runnable", "looks at a spinner that showed R", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"shown-asleep", "looks at a sleeper that showed no R", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"involuntary", "involuntary switches a second", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, PER_SECOND_MAX},
	{"busy", "time that the two CPUs were used", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{0},
};

const struct probe_info probe_info_states = {
	.name = "states",
	.title = "Running, waiting, asleep",
	.what = "how four threads on two CPUs spend their time when all compute, and when two of them sleep",
	.how = "two threads are pinned to each of two CPUs; each notes when it ran and when it did not; the states in "
	       "/proc/PID/task/TID/stat are looked at every 10 ms, the waiting comes from schedstat",
	.needs = "two CPUs; schedstat for the waiting times",
	.sources = "proc(5); Documentation/scheduler/sched-stats.rst",
	.version = 1,
	.quick_ms = 2600,
	.full_ms = 10000,
	.cases = states_cases,
	.metrics = states_metrics,
};

static const struct case_info signatures_cases[] = {
	{"spin", "computing, alone"},
	{"spin-rival", "computing beside a rival"},
	{"sleep", "sleeping 1 ms at a time"},
	{"ping-pong", "ping-pong over a socket pair"},
	{"yield", "yielding, alone"},
	{"yield-rival", "yielding beside one that yields"},
	{"mixed", "computing 5 ms, sleeping 5 ms"},
	{"mixed-rival", "computing 5 ms, sleeping 5 ms, a rival"},
	{"throttled", "computing, half of its time held back"},
	{0},
};

static const struct metric_info signatures_metrics[] = {
	{"voluntary", "voluntary switches a second", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100 * PER_SECOND_MAX},
	{"involuntary", "involuntary switches a second", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100 * PER_SECOND_MAX},
	{"cpu", "time on a CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"waiting", "time waiting for a CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"system", "part of the CPU time in the kernel", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"ops", "operations a second", RUN_UNIT_MILLI, METRIC_COST, 0, 1000 * PER_SECOND_MAX},
	{"switches-per-op", "switches per operation, both sides", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_signatures = {
	.name = "signatures",
	.title = "Lives and their signatures",
	.what = "what the switch counters, the CPU time and the waiting time say of simple ways to live",
	.how = "one thread is pinned to a CPU, alone or beside a rival, and read by RUSAGE_THREAD, its CPU clock and "
	       "its schedstat before and after; sched_yield counts as involuntary on Linux; for the throttled life a "
	       "cgroup is made with a quota of 10 ms in 20 ms, and removed",
	.needs = "schedstat for the waiting times; the right to make a cgroup for the throttled life",
	.sources = "getrusage(2), sched_yield(2), proc(5); __schedule() in kernel/sched/core.c",
	.version = 1,
	.quick_ms = 3820,
	.full_ms = 16000,
	.cases = signatures_cases,
	.metrics = signatures_metrics,
};

static const struct case_info blocking_cases[] = {
	{"pipe", "read from a pipe"},
	{"recv", "recv from a socket"},
	{"recv-timeout", "recv with a timeout set"},
	{"poll", "poll, then read"},
	{"epoll", "epoll, then read"},
	{"futex", "futex wait"},
	{"mutex", "mutex held by another"},
	{"cond", "condition variable"},
	{"sem", "semaphore"},
	{"waitpid", "waitpid"},
	{"nanosleep", "nanosleep"},
	{"cond-timed", "condition variable, timed out"},
	{"mutex-free", "mutex that nobody holds"},
	{"yield-rival", "sched_yield, a rival yields too"},
	{"mutex-hold-0", "mutex in turn, not held"},
	{"mutex-hold-1us", "mutex in turn, held 1 \xc2\xb5s"},
	{"mutex-hold-10us", "mutex in turn, held 10 \xc2\xb5s"},
	{"mutex-hold-50us", "mutex in turn, held 50 \xc2\xb5s"},
	{0},
};

static const struct metric_info blocking_metrics[] = {
	{"voluntary", "voluntary switches per call", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000},
	{"involuntary", "involuntary switches per call", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 1000000},
	{"cpu", "CPU time per call", RUN_UNIT_NS, METRIC_COST, 0, SECOND},
	{"waiting", "waiting for a CPU per call", RUN_UNIT_NS, METRIC_COST, 0, SECOND},
	{"wake", "from the waker's call to running", RUN_UNIT_NS, METRIC_COST, 100, 10 * SECOND},
	{0},
};

const struct probe_info probe_info_blocking = {
	.name = "blocking",
	.title = "Which counter a call moves",
	.what = "how many switches of either kind each way to block costs, and one that does not block",
	.how = "one thread calls so many times; another on a second CPU wakes it only once its state in /proc is S, so "
	       "that every call blocks; switches by RUSAGE_THREAD; the mutexes are the C library's default, which "
	       "sleep at once",
	.needs = "/proc; two CPUs for the mutex that two threads take in turn; schedstat for the waiting times",
	.sources = "getrusage(2), proc(5), pthread_mutex_lock(3), sem_overview(7); __schedule() in kernel/sched/core.c",
	.version = 1,
	.quick_ms = 1900,
	.full_ms = 7000,
	.cases = blocking_cases,
	.metrics = blocking_metrics,
};

static const struct case_info counters_cases[] = {
	{"rusage-thread", "RUSAGE_THREAD in the thread"},
	{"status-thread", "/proc/thread-self/status"},
	{"rusage-self", "RUSAGE_SELF of the process"},
	{"status-process", "/proc/PID/status"},
	{"status-tasks", "sum of /proc/PID/task/*/status"},
	{"status-tasks-ended", "the same sum after the thread ended"},
	{0},
};

static const struct metric_info counters_metrics[] = {
	{"counted", "voluntary switches per sleep, so read", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 10000},
	{"own", "voluntary switches per sleep, by the thread", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 10000},
	{"involuntary", "involuntary switches per sleep, so read", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_counters = {
	.name = "counters",
	.title = "Whose switches are counted",
	.what = "which threads' switches each source of the counters tells: the thread's, the process's, /proc's",
	.how = "a second thread sleeps a known number of times while the main thread blocks; each source is read "
	       "before and after; the sources are the cases",
	.needs = "/proc",
	.sources = "getrusage(2), proc(5); proc_pid_status() in fs/proc/array.c, which tells the main thread's counts",
	.version = 1,
	.quick_ms = 900,
	.full_ms = 2500,
	.cases = counters_cases,
	.metrics = counters_metrics,
};

static const struct case_info preemption_cases[] = {
	{"alone", "a spinner, alone"},
	{"1-rival", "a spinner and one rival"},
	{"3-rivals", "a spinner and three rivals"},
	{0},
};

static const struct metric_info preemption_metrics[] = {
	{"lost", "time off the CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"switches", "pauses by a switch, a second", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, PER_SECOND_MAX},
	{"switch-gap", "length of a pause by a switch", RUN_UNIT_NS, METRIC_BEHAVIOUR, 1000, 10 * SECOND},
	{"interrupts", "pauses by an interrupt, a second", RUN_UNIT_MILLI, METRIC_COST, 0, PER_SECOND_MAX},
	{"interrupt-gap", "length of a pause by an interrupt", RUN_UNIT_NS, METRIC_COST, 1000, 10 * SECOND},
	{"host", "time the hypervisor took", RUN_UNIT_PPM, METRIC_COST, 0, WHOLE_PPM},
	{"longest", "longest pause", RUN_UNIT_NS, METRIC_COST, 0, 60 * SECOND},
	{0},
};

const struct probe_info probe_info_preemption = {
	.name = "preemption",
	.title = "What takes the CPU away",
	.what = "how often and for how long a thread that only computes loses its CPU, and to whom",
	.how = "a pinned thread reads the clock all the time; a pause of more than 5 \xc2\xb5s, or 20 readings, is a "
	       "switch if the involuntary counter moved, the host's if /proc/stat tells stolen time, and else an "
	       "interrupt's, the firmware's or the host's unnoticed",
	.needs = "nothing",
	.sources = "getrusage(2), proc(5); after oslat of rt-tests",
	.version = 1,
	.quick_ms = 2900,
	.full_ms = 11600,
	.cases = preemption_cases,
	.metrics = preemption_metrics,
};

static const struct case_info turn_length_cases[] = {
	{"2", "two spinners on one CPU"},
	{"3", "three spinners on one CPU"},
	{"4", "four spinners on one CPU"},
	{"8", "eight spinners on one CPU"},
	{0},
};

static const struct metric_info turn_length_metrics[] = {
	{"turn", "median turn", RUN_UNIT_NS, METRIC_BEHAVIOUR, 1000, 10 * SECOND},
	{"mean", "window over all switches", RUN_UNIT_NS, METRIC_BEHAVIOUR, 1000, 10 * SECOND},
	{"wait", "median wait between turns", RUN_UNIT_NS, METRIC_BEHAVIOUR, 1000, 60 * SECOND},
	{"ticks", "median turn in ticks", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 1, 10000000},
	{"busy", "time that the CPU was used", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"waiting", "time that a spinner waited", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"slice", "slice the kernel grants", RUN_UNIT_NS, METRIC_BEHAVIOUR, 100000, 100 * MS},
	{"tick", "length of a tick, 1/HZ", RUN_UNIT_NS, METRIC_BEHAVIOUR, 100000, 100 * MS},
	{0},
};

const struct probe_info probe_info_turn_length = {
	.name = "turn-length",
	.title = "How long a turn is",
	.what = "how long equal spinners on one CPU run in turn, against the tick and the slice",
	.how = "each spinner reads the clock all the time and takes a pause for the end of its turn when the "
	       "involuntary counter moved; the slice comes from sched_getattr or /proc/self/sched, the tick is the "
	       "resolution of CLOCK_MONOTONIC_COARSE",
	.needs = "nothing; Linux 6.12, or a kernel with scheduler debugging, for the slice",
	.sources = "sched_setattr(2), clock_getres(2); update_curr() and entity_tick() in kernel/sched/fair.c",
	.version = 1,
	.quick_ms = 3400,
	.full_ms = 13600,
	.cases = turn_length_cases,
	.metrics = turn_length_metrics,
};

static const struct case_info ticks_cases[] = {
	{"idle", "a CPU that idles"},
	{"lone", "a CPU with one spinner"},
	{"shared", "a CPU that two spinners share"},
	{0},
};

static const struct metric_info ticks_metrics[] = {
	{"rate", "timer interrupts a second", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, PER_SECOND_MAX},
	{"of-hz", "timer interrupts per tick", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, 1000 * WHOLE_PPM},
	{"hz", "HZ of the kernel", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 10000},
	{0},
};

const struct probe_info probe_info_ticks = {
	.name = "ticks",
	.title = "When the tick stops",
	.what = "how often the timer interrupts a CPU that idles, that runs one thread, that two threads share",
	.how = "the local timer interrupts of one CPU in /proc/interrupts are read before and after, from another CPU",
	.needs = "/proc/interrupts with a row for the local timer",
	.sources = "proc(5); Documentation/timers/no_hz.rst",
	.version = 1,
	.quick_ms = 2600,
	.full_ms = 10400,
	.cases = ticks_cases,
	.metrics = ticks_metrics,
};

static const struct case_info clocks_cases[] = {
	{"monotonic", "CLOCK_MONOTONIC"},
	{"monotonic-raw", "CLOCK_MONOTONIC_RAW"},
	{"monotonic-coarse", "CLOCK_MONOTONIC_COARSE"},
	{"realtime", "CLOCK_REALTIME"},
	{"process-cpu", "CLOCK_PROCESS_CPUTIME_ID"},
	{"thread-cpu", "CLOCK_THREAD_CPUTIME_ID"},
	{"spin", "computing, alone"},
	{"spin-rival", "computing beside a rival"},
	{"sleep", "sleeping 1 ms at a time"},
	{"half", "computing 5 ms, sleeping 5 ms"},
	{"parallel", "two threads compute, the main one sleeps"},
	{0},
};

static const struct metric_info clocks_metrics[] = {
	{"cost", "time to read the clock", RUN_UNIT_NS, METRIC_COST, 1, MS},
	{"resolution", "resolution by clock_getres", RUN_UNIT_NS, METRIC_BEHAVIOUR, 1, SECOND},
	{"step", "smallest step seen", RUN_UNIT_NS, METRIC_COST, 1, SECOND},
	{"thread", "CPU time of the thread, of wall time", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"process", "CPU time of the process, of wall time", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, CPUS_PPM_MAX},
	{"waiting", "time waiting for a CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"blocked", "time asleep", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, SHARE_MAX},
	{"sum", "CPU, waiting and asleep, of wall time", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, 2 * WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_clocks = {
	.name = "clocks",
	.title = "Three clocks",
	.what = "what clocks cost and resolve, and how wall time splits into computing, waiting and sleeping",
	.how = "2,000 readings are timed, the best of some batches counts; for the lives of a thread, its CPU clock, "
	       "the process's, its schedstat and the time in its sleeps are set against CLOCK_MONOTONIC",
	.needs = "two CPUs for the parallel case; schedstat for the waiting times",
	.sources = "clock_gettime(2), time(7); Documentation/scheduler/sched-stats.rst",
	.version = 1,
	.quick_ms = 2400,
	.full_ms = 9000,
	.cases = clocks_cases,
	.metrics = clocks_metrics,
};

static const struct case_info noise_cases[] = {
	{"spin", "computing"},
	{"clock", "reading the clock"},
	{"syscall", "a small system call"},
	{"memory", "walking through memory"},
	{"pipe", "a byte through a pipe, one thread"},
	{"handoff", "a byte to a thread and back"},
	{"thread", "thread create + join"},
	{"fork", "fork, wait"},
	{"sleep", "a sleep of half a millisecond"},
	{"share", "share of a CPU beside a rival"},
	{0},
};

static const struct metric_info noise_metrics[] = {
	{"difference", "difference of two equal measurements", RUN_UNIT_PPM, METRIC_COST, 0, 100 * WHOLE_PPM},
	{"each", "time per operation", RUN_UNIT_NS, METRIC_COST, 1, SECOND},
	{"share", "share of the CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_noise = {
	.name = "noise",
	.title = "The same thing twice",
	.what = "how far two measurements of one and the same thing lie apart, for each kind of operation",
	.how = "each operation fills two equal windows, one right after the other on one pinned CPU; the larger mean "
	       "is divided by the smaller; no claim may rest on a difference smaller than that",
	.needs = "nothing",
	.sources = "A/A tests as in any controlled experiment",
	.version = 1,
	.quick_ms = 2500,
	.full_ms = 10000,
	.cases = noise_cases,
	.metrics = noise_metrics,
};
