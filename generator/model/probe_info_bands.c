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
	       "then beside a fair spinner; a FIFO 99 watchdog on another CPU and RLIMIT_RTTIME end it; shares are "
	       "what "
	       "the "
	       "gaps in each spinner's clock leave; throttling is told from the fair server by the row where nobody "
	       "waits; changes no setting",
	.needs = "two CPUs; CAP_SYS_NICE or a limit of real-time priority; RT throttling on, or the fair server of "
		 "Linux "
		 "6.12",
	.sources = "sched(7); Documentation/scheduler/sched-rt-group.rst; kernel/sched/rt.c, deadline.c (fair server)",
	.version = 1,
	.quick_ms = 14420,
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
	.how = "two spinners of priority 1 on one CPU, for three turns and a bit, a FIFO 99 watchdog on another; the "
	       "turns "
	       "are read from the gaps in the spinners' clocks; changes no setting",
	.needs = "two CPUs; CAP_SYS_NICE or a limit of real-time priority; RT throttling on, or the fair server of "
		 "Linux "
		 "6.12",
	.sources = "sched(7), sched_rr_get_interval(2); kernel/sched/rt.c",
	.version = 1,
	.quick_ms = 2700,
	.full_ms = 6600,
	.cases = rr_cases,
	.metrics = rr_metrics,
};

static const struct case_info deadline_cases[] = {
	{"jobs", "jobs of 5 ms, reserved 10 of 100 ms"},
	{"overrun", "a spinner, reserved 5 of 50 ms"},
	{"admission", "reservations of 28 % until one is refused"},
	{"pinned", "a reservation pinned to one CPU"},
	{0},
};

static const struct metric_info deadline_metrics[] = {
	{"admitted", "reservations admitted", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{"predicted", "reservations that should fit", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{"share", "share of one CPU", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"gap", "longest wait of the spinner", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"response", "response of a job, 99th percentile", RUN_UNIT_NS, METRIC_COST, 0, 60 * SECOND},
	{"misses", "deadlines missed", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_deadline = {
	.name = "deadline",
	.title = "A reservation, and its limits",
	.what = "how many reservations the kernel admits, how it holds a task to one, and when a job is done",
	.how = "each reservation belongs to a fresh process on every CPU, which sleeps longer than a period before it "
	       "ends "
	       "and never takes another policy; fair spinners on every CPU compete; first 40 % must be admitted, or "
	       "the "
	       "kernel's books are called inconsistent; changes no setting",
	.needs = "CAP_SYS_NICE; every CPU allowed",
	.sources = "sched(7), sched_setattr(2); Documentation/scheduler/sched-deadline.rst",
	.version = 1,
	.quick_ms = 5100,
	.full_ms = 16000,
	.cases = deadline_cases,
	.metrics = deadline_metrics,
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
	{"1-whole", "one spinner, 100 of 100 ms"},
	{"2-whole-free", "two spinners, any CPU, 100 of 100 ms"},
	{"1-quarter-nested", "25 of 100 ms inside 50 of 100 ms"},
	{"2n-wakes", "two that wake often a CPU, 10 of 100 ms"},
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
	{"cpus", "CPUs that the spinners were seen on", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 1024},
	{"bursts", "periods that used a burst", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_quota = {
	.name = "quota",
	.title = "Throttled: a quota and its stalls",
	.what = "how often and for how long spinners stand still in a group that may use 50 ms of CPU in each 100 ms",
	.how = "spinning processes in a cgroup made for the measurement (v2 or v1 cpu controller), each on a CPU of "
	       "its own if "
	       "there are enough; "
	       "each records the gaps in its own clock, cpu.stat gives the counts; throttled time is summed over CPUs, "
	       "so "
	       "that its quotient by nr_throttled is no stall and is shown to be none; the first period is left out",
	.needs = "a cgroup that may be given children with the cpu controller: root, or a delegated scope; Linux 5.14 "
		 "for "
		 "bursts",
	.sources = "Documentation/scheduler/sched-bwc.rst, Documentation/admin-guide/cgroup-v2.rst",
	.version = 1,
	.quick_ms = 5820,
	.full_ms = 36500,
	.cases = quota_cases,
	.metrics = quota_metrics,
};

static const struct case_info cpu_weight_cases[] = {
	{"100-20", "group of weight 100 beside 20"},
	{"100-100-nice-19", "equal groups, nice 19 inside the second"},
	{"one-group-nice-5", "one group, nice 5 for the second"},
	{"sessions-nice-19", "two sessions, nice 19 in the second"},
	{"20-idle", "group of weight 20, its rival idle"},
	{"nice-5-file", "5 written to cpu.weight.nice"},
	{0},
};

static const struct metric_info cpu_weight_metrics[] = {
	{"share1", "share of the first", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"share2", "share of the second", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"weight", "cpu.weight read back", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 10000},
	{"used", "CPUs used by both", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 10000000},
	{0},
};

const struct probe_info probe_info_cpu_weight = {
	.name = "cpu-weight",
	.title = "The weight of a group",
	.what = "how spinners in groups of different weight share one CPU, and what a nice value inside a group "
		"changes",
	.how = "spinners pinned to one CPU, in cgroups made for the measurement (v2 cpu.weight, or v1 cpu.shares at "
	       "1024 for "
	       "100) or in sessions of their own; each one's CPU time over the window is divided by the sum",
	.needs = "a cgroup that may be given children with the cpu controller; autogroups for the sessions, which need "
		 "no "
		 "right",
	.sources = "Documentation/admin-guide/cgroup-v2.rst; sched(7), autogroup",
	.version = 1,
	.quick_ms = 3900,
	.full_ms = 18000,
	.cases = cpu_weight_cases,
	.metrics = cpu_weight_metrics,
};

static const struct case_info psi_cases[] = {
	{"1", "one spinner on a CPU"},
	{"2", "two spinners on a CPU"},
	{"4", "four spinners on a CPU"},
	{"2-quota", "two spinners on a CPU, 25 of 50 ms"},
	{"2-no-quota", "the same group without its quota"},
	{0},
};

static const struct metric_info psi_metrics[] = {
	{"some", "time that some task waited", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"full", "time that none of the group ran", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"machine", "some, of the whole machine", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"machine-full", "full, of the whole machine", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"throttled", "periods that were throttled", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{"avg10", "avg10 of the machine at the end", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_psi = {
	.name = "psi",
	.title = "Pressure: waiting, added up",
	.what = "what part of the time some task waited for a CPU, with one, two and four spinners on it",
	.how = "spinners pinned to one CPU, in a cgroup v2 made for the measurement where that is possible; the growth "
	       "of "
	       "total is divided by the wall time, avg10 stands beside it and lags",
	.needs = "CONFIG_PSI, not switched off; a cgroup v2 of its own, or else the pressure of the whole machine",
	.sources = "Documentation/accounting/psi.rst; kernel/sched/psi.c",
	.version = 1,
	.quick_ms = 2300,
	.full_ms = 14600,
	.cases = psi_cases,
	.metrics = psi_metrics,
};

static const struct case_info quota_latency_cases[] = {
	{"requests-1", "one worker, 50 of 100 ms"},
	{"requests-2", "two workers, 50 of 100 ms"},
	{"requests-2-half", "two workers, 25 of 50 ms"},
	{"requests-2-whole", "two workers, 100 of 100 ms"},
	{"tail", "0.5 ms beside spinners, 50 of 100 ms"},
	{"tail-half", "0.5 ms beside spinners, 25 of 50 ms"},
	{"tail-weight", "0.5 ms, weight 100, spinners of weight 20"},
	{0},
};

static const struct metric_info quota_latency_metrics[] = {
	{"p50", "latency, median", RUN_UNIT_NS, METRIC_COST, 0, 600 * SECOND},
	{"p99", "latency, 99th percentile", RUN_UNIT_NS, METRIC_COST, 0, 600 * SECOND},
	{"throttled", "periods that were throttled", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"stalls", "stalls per worker", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000000},
	{0},
};

const struct probe_info probe_info_quota_latency = {
	.name = "quota-latency",
	.title = "What a quota does to a request",
	.what = "how long requests take in a group with a quota: 30 ms of work at 10 a second, and 0.5 ms beside "
		"spinners",
	.how = "an open loop: due times of a Poisson process, the same each time, workers as threads of one process; "
	       "latency "
	       "counts from when a request was due; the quota is first used for a period and a bit",
	.needs = "a cgroup that may be given children with the cpu controller",
	.sources = "Documentation/scheduler/sched-bwc.rst; the coordinated omission problem",
	.version = 1,
	.quick_ms = 300,
	.full_ms = 97000,
	.cases = quota_latency_cases,
	.metrics = quota_latency_metrics,
};
