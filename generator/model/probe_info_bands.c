/* The registry's entries for bands: what a class, a group or a quota holds a task to. */
#include "model/probe_info_list.h"

static const struct case_info rt_cases[] = {
	{"fifo-fair", "FIFO beside a fair spinner"},
	{"fifo-alone", "FIFO alone"},
	{"fifo-group", "FIFO in a cgroup of its own"},
	{0},
};

static const struct metric_info rt_metrics[] = {
	{"fifo", "share of the FIFO spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"fair", "share left to the fair class", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"fair-own", "share of our fair spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"fifo-gap", "longest wait of the FIFO spinner", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"fair-gap", "longest wait of the fair spinner", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{0},
};

const struct probe_info probe_info_rt = {
	.name = "rt",
	.title = "What FIFO leaves to the rest",
	.what = "how much of a CPU a FIFO spinner gets beside a fair one and alone, and how long each waits at most",
	.how = "a FIFO spinner of priority 1, at most four seconds in one stretch: alone for a period of real-time "
	       "bandwidth, "
	       "then beside a fair spinner; a FIFO 99 watchdog on another CPU and RLIMIT_RTTIME end it; shares are what "
	       "the "
	       "gaps in each spinner's clock leave; throttling is told from the fair server by the row where nobody "
	       "waits; changes no setting",
	.needs = "two CPUs; CAP_SYS_NICE or a limit of real-time priority; RT throttling on, or the fair server of Linux "
		 "6.12",
	.sources = "sched(7); Documentation/scheduler/sched-rt-group.rst; kernel/sched/rt.c, deadline.c (fair server)",
	.version = 1,
	.quick_ms = 20000,
	.full_ms = 24000,
	.cases = rt_cases,
	.metrics = rt_metrics,
};

static const struct case_info rr_cases[] = {
	{"rr", "two spinners, SCHED_RR"},
	{"fifo", "two spinners, SCHED_FIFO"},
	{0},
};

static const struct metric_info rr_metrics[] = {
	{"turn", "first turn, or all of the window", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"interval", "turn by sched_rr_get_interval", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"wait", "wait for the next turn, median", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"passed-on", "times the CPU was passed on", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_rr = {
	.name = "rr",
	.title = "The one class with a timeslice",
	.what = "how long a round-robin task keeps the CPU beside another of its priority, and a FIFO task",
	.how = "two spinners of priority 1 on one CPU, for three turns and a bit, a FIFO 99 watchdog on another; the turns "
	       "are read from the gaps in the spinners' clocks; changes no setting",
	.needs = "two CPUs; CAP_SYS_NICE or a limit of real-time priority; RT throttling on, or the fair server of Linux "
		 "6.12",
	.sources = "sched(7), sched_rr_get_interval(2); kernel/sched/rt.c",
	.version = 1,
	.quick_ms = 5500,
	.full_ms = 6600,
	.cases = rr_cases,
	.metrics = rr_metrics,
};

static const struct case_info quota_cases[] = {
	{"1", "one spinner, 50 of 100 ms"},
	{"2", "two spinners, 50 of 100 ms"},
	{"n", "a spinner a CPU, 50 of 100 ms"},
	{"2n", "two spinners a CPU, 50 of 100 ms"},
	{"2-half", "two spinners, 25 of 50 ms"},
	{"2-fifth", "two spinners, 10 of 20 ms"},
	{"2-period-half", "two spinners, 50 of 50 ms"},
	{"1-quarter", "one spinner, 25 of 100 ms"},
	{"n-whole", "a spinner a CPU, 100 of 100 ms"},
	{"2-bursty", "bursty work, 50 of 100 ms"},
	{"2-bursty-burst", "bursty work, 50 of 100 ms, burst 50 ms"},
	{0},
};

/* A stall of a minute is beyond any quota that can be set; a CPU count of 10,000 beyond any machine. */
static const struct metric_info quota_metrics[] = {
	{"throttled", "periods that were throttled", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"usage", "CPUs used", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 10000000},
	{"stall", "stall seen by a spinner, median", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"longest", "stall seen by a spinner, longest", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"naive", "throttled time / nr_throttled (no stall)", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 600 * SECOND},
	{"bursts", "periods that used a burst", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_quota = {
	.name = "quota",
	.title = "Throttled: a quota and its stalls",
	.what = "how often and for how long spinners stand still in a group that may use 50 ms of CPU in each 100 ms",
	.how = "spinning processes in a cgroup made for the measurement (v2 or v1 cpu controller), each on a CPU of its own if "
	       "there are enough; "
	       "each records the gaps in its own clock, cpu.stat gives the counts; throttled time is summed over CPUs, so "
	       "that its quotient by nr_throttled is no stall and is shown to be none; the first period is left out",
	.needs = "a cgroup that may be given children with the cpu controller: root, or a delegated scope; Linux 5.14 for "
		 "bursts",
	.sources = "Documentation/scheduler/sched-bwc.rst, Documentation/admin-guide/cgroup-v2.rst",
	.version = 1,
	.quick_ms = 8000,
	.full_ms = 32000,
	.cases = quota_cases,
	.metrics = quota_metrics,
};
