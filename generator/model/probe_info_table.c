/* The entries of the registry, in the order of the course. A probe that measures differently gets a new version; a label
 * may change freely, a name never. Bounds are physical: what no machine can do, not what is unusual. */
#include "model/probe_info_list.h"

static const struct case_info create_cases[] = {
	{"thread-join", "thread create + join"},
	{"vfork", "vfork, exit, wait"},
	{"fork", "fork, wait"},
	{"spawn", "posix_spawn, tiny program"},
	{"vfork-exec", "vfork + exec, tiny program"},
	{"fork-exec", "fork + exec, tiny program"},
	{"spawn-true", "posix_spawn, /bin/true"},
	{"fork-exec-true", "fork + exec, /bin/true"},
	{"thread-join-free", "thread create + join, any CPU"},
	{"vfork-free", "vfork, exit, wait, any CPU"},
	{"fork-free", "fork, wait, any CPU"},
	{"spawn-free", "posix_spawn, tiny program, any CPU"},
	{0},
};

/* Not below a bare system call; not above a second even under emulation. */
static const struct metric_info create_metrics[] = {
	{"wall", "time per operation", RUN_UNIT_NS, METRIC_COST, 50, SECOND},
	{0},
};

static const struct probe_info create = {
	.name = "create",
	.title = "The price of a new task",
	.what = "how long it takes to make a thread or a process, let it run to its end and collect it",
	.how = "six passes over all cases, alternating in order; a batch of 200 operations (50 where a program is "
	       "executed) is timed "
	       "by CLOCK_MONOTONIC and divided; maker and made share one CPU, except in the cases named any CPU",
	.needs = "nothing; /bin/true for two of the cases",
	.sources = "clone(2), vfork(2), posix_spawn(3); kernel/fork.c",
	.version = 1,
	.quick_ms = 3000,
	.full_ms = 10500,
	.cases = create_cases,
	.metrics = create_metrics,
};

static const struct case_info switch_cases[] = {
	{"pipe-thread-same", "pipe, threads, same CPU"},
	{"pipe-thread-cross", "pipe, threads, two CPUs"},
	{"pipe-process-same", "pipe, processes, same CPU"},
	{"pipe-process-cross", "pipe, processes, two CPUs"},
	{"socketpair-thread-same", "socket pair, threads, same CPU"},
	{"socketpair-thread-cross", "socket pair, threads, two CPUs"},
	{"socketpair-process-same", "socket pair, processes, same CPU"},
	{"socketpair-process-cross", "socket pair, processes, two CPUs"},
	{"futex-thread-same", "futex, threads, same CPU"},
	{"futex-thread-cross", "futex, threads, two CPUs"},
	{"futex-process-same", "futex, processes, same CPU"},
	{"futex-process-cross", "futex, processes, two CPUs"},
	{"pipe-thread-same-batch", "pipe, threads, same CPU, SCHED_BATCH"},
	{"socketpair-thread-same-batch", "socket pair, threads, same CPU, SCHED_BATCH"},
	{"futex-thread-same-batch", "futex, threads, same CPU, SCHED_BATCH"},
	{"pipe-process-same-batch", "pipe, processes, same CPU, SCHED_BATCH"},
	{"socketpair-process-same-batch", "socket pair, processes, same CPU, SCHED_BATCH"},
	{"futex-process-same-batch", "futex, processes, same CPU, SCHED_BATCH"},
	{"pipe-self", "pipe, one thread, no switch"},
	{"socketpair-self", "socket pair, one thread, no switch"},
	{0},
};

/* More than 100 switches in a round trip of one byte each way would be another measurement. */
static const struct metric_info switch_metrics[] = {
	{"handoff", "half a round trip", RUN_UNIT_NS, METRIC_COST, 20, SECOND},
	{"switches", "switches per round trip", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000},
	{"per-switch", "round trip per counted switch", RUN_UNIT_NS, METRIC_COST, 20, 10 * SECOND},
	{"involuntary", "involuntary switches per round trip", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

static const struct probe_info switching = {
	.name = "switch",
	.title = "The price of a switch",
	.what = "how long one thread takes to hand a byte to another and sleep, and how many context switches that "
		"cost",
	.how = "two threads or processes answer each other through a pipe, a socket pair or a futex, on one CPU or on "
	       "two; the switches "
	       "are counted by getrusage on both sides and the time is divided by the count, never by an assumed two",
	.needs = "two CPUs for the cases on two CPUs",
	.sources = "getrusage(2), futex(2), sched(7); after lat_ctx of lmbench and perf bench sched pipe",
	.version = 1,
	.quick_ms = 11820,
	.full_ms = 54000,
	.cases = switch_cases,
	.metrics = switch_metrics,
};

static const struct case_info nice_cases[] = {
	{"0-0", "nice 0 beside nice 0"},
	{"0-0-napper", "nice 0 that naps each slice beside nice 0"},
	{"0-0-slept", "nice 0 that slept long beside nice 0"},
	{"0-1", "nice 0 beside nice 1"},
	{"10-11", "nice 10 beside nice 11"},
	{"0-3", "nice 0 beside nice 3"},
	{"0-5", "nice 0 beside nice 5"},
	{"0-10", "nice 0 beside nice 10"},
	{"0-15", "nice 0 beside nice 15"},
	{"0-19", "nice 0 beside nice 19"},
	{"5-15", "nice 5 beside nice 15"},
	{"5-19", "nice 5 beside nice 19"},
	{"m5-0-5", "nice \xe2\x88\x92"
		   "5 beside nice 0 and nice 5"},
	{"m20-ten-0", "nice \xe2\x88\x92"
		      "20 beside ten of nice 0"},
	{"0-10-sessions", "nice 0 beside nice 10, two sessions"},
	{0},
};

/* Waiting is read apart from the wall clock: 1 per cent for the distance of the two readings. */
static const struct metric_info nice_metrics[] = {
	{"share1", "share of the first spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"share2", "share of the second spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"share3", "share of the third spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"wait2", "time the second spinner waited", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM + WHOLE_PPM / 100},
	{"weight2", "weight of the second spinner", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 100000},
	{"apart", "first and second: vruntimes apart", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 3600 * SECOND},
	{0},
};

static const struct probe_info nice = {
	.name = "nice",
	.title = "What nice is worth",
	.what = "how spinners of different nice values share one CPU",
	.how = "spinners that never sleep are pinned to one CPU, all in one session unless the case says two; each "
	       "one's CPU time over "
	       "the window is divided by the sum of all; waiting comes from /proc/PID/schedstat; where one is so weak that "
	       "thirty of its turns would take many seconds, the window runs from the end of one of its turns to the "
	       "end of a later one",
	.needs = "CAP_SYS_NICE or a nice limit for the cases with a negative nice value; schedstat for the waiting times",
	.sources = "sched(7), setpriority(2); sched_prio_to_weight in kernel/sched/core.c",
	.version = 1,
	.quick_ms = 24820,
	.full_ms = 70400,
	.cases = nice_cases,
	.metrics = nice_metrics,
};

/* clang-format off: one a line */
const struct probe_info *const probe_infos[] = {
	&probe_info_sweep,
	&probe_info_states,
	&probe_info_clone_flags,
	&probe_info_thread_shares,
	&create,
	&probe_info_create_rss,
	&probe_info_pool_breakeven,
	&probe_info_python_start,
	&switching,
	&probe_info_switch_footprint,
	&probe_info_handoff,
	&probe_info_signatures,
	&probe_info_blocking,
	&probe_info_counters,
	&probe_info_preemption,
	&probe_info_turn_length,
	&probe_info_ticks,
	&nice,
	&probe_info_nice_idle,
	&probe_info_autogroup,
	&probe_info_slice,
	&probe_info_wakeup,
	&probe_info_idle_batch,
	&probe_info_classes,
	&probe_info_affinity,
	&probe_info_cpu_count,
	&probe_info_asymmetry,
	&probe_info_rt,
	&probe_info_rr,
	&probe_info_inversion,
	&probe_info_deadline,
	&probe_info_quota,
	&probe_info_quota_latency,
	&probe_info_cpu_weight,
	&probe_info_run_delay,
	&probe_info_psi,
	&probe_info_proc_stat,
	&probe_info_gil_model,
	&probe_info_convoy,
	&probe_info_python_gil,
	&probe_info_event_loop,
	&probe_info_race,
	&probe_info_thread_nice,
	&probe_info_clocks,
	&probe_info_noise,
	NULL,
};
/* clang-format on */
