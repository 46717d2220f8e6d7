/* Registry: the fair class (nice and what it reaches, slices, wake-ups, waits) and where tasks run. */
#include "model/probe_info_list.h"

/* Readings a little apart: a sum of parts may come to a little more than the whole. */
#define PART_PPM (WHOLE_PPM + WHOLE_PPM / 50)
#define MINUTE (60 * SECOND)

static const struct case_info nice_idle_cases[] = {
	{"0-alone", "nice 0, alone"},
	{"10-alone", "nice 10, alone"},
	{"19-alone", "nice 19, alone"},
	{"batch-alone", "SCHED_BATCH, alone"},
	{"idle-alone", "SCHED_IDLE, alone"},
	{"10-rival-stops", "nice 10, after its rival at nice 0 stopped"},
	{"5-crowd", "nice 5 beside two spinners a CPU"},
	{"19-crowd", "nice 19 beside two spinners a CPU"},
	{"19-crowd-session", "nice 19 in a session of its own beside them"},
	{0},
};

static const struct metric_info nice_idle_metrics[] = {
	{"share", "part of the CPU's time", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, PART_PPM},
	{"unit", "CPU time per unit of work", RUN_UNIT_NS, METRIC_COST, 1000, SECOND},
	{"before", "share while the rival ran", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"at-once", "part of the first 20 ms without rival", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, PART_PPM},
	{0},
};

const struct probe_info probe_info_nice_idle = {
	.name = "nice-idle",
	.title = "Nice without a rival",
	.what = "what nice, SCHED_BATCH and SCHED_IDLE do to a spinner that has a CPU to itself: nothing",
	.how = "one spinner pinned to one CPU: its CPU time over the wall time, and per unit of work; then a nice 10 "
	       "beside "
	       "a nice 0 that is stopped half-way (SIGSTOP); a nice one beside two spinners of nice 0 for each CPU, "
	       "none pinned",
	.needs = "nothing; at most 16 CPUs for the crowd",
	.sources = "sched(7), setpriority(2)",
	.version = 1,
	.quick_ms = 3900,
	.full_ms = 20000,
	.cases = nice_idle_cases,
	.metrics = nice_idle_metrics,
};

static const struct case_info autogroup_cases[] = {
	{"one-session", "nice 0 beside nice 5, one session"},
	{"two-sessions", "nice 0 beside nice 5, two sessions"},
	{"two-sessions-group-nice", "two sessions, one with a nice of 5"},
	{"one-against-two", "one spinner, another session's two"},
	{0},
};

static const struct metric_info autogroup_metrics[] = {
	{"share1", "share of the first spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"share2", "share of the second spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"share3", "share of the third spinner", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_autogroup = {
	.name = "autogroup",
	.title = "Sessions are groups",
	.what = "how a CPU is shared between sessions where autogroup is on: per session first, by nice only inside "
		"one",
	.how = "spinners pinned to one CPU, in one session or in two (setsid); CPU time over the CPU time of all; the "
	       "nice "
	       "value of a session is written to /proc/self/autogroup of a session made for it, and ends with it",
	.needs = "kernel.sched_autogroup_enabled=1 and the root of the cpu controller for all but the first case",
	.sources = "sched(7), The autogroup feature; kernel/sched/autogroup.c",
	.version = 1,
	.quick_ms = 4820,
	.full_ms = 14000,
	.cases = autogroup_cases,
	.metrics = autogroup_metrics,
};

static const struct case_info slice_cases[] = {
	{"ask-10us", "asked for 0.01 ms"},
	{"ask-100us", "asked for 0.1 ms"},
	{"ask-1ms", "asked for 1 ms"},
	{"ask-20ms", "asked for 20 ms"},
	{"ask-200ms", "asked for 200 ms"},
	{"sleeper", "sleeper of 2.5 ms in 10, default slice"},
	{"sleeper-100us", "sleeper of 2.5 ms in 10, slice 0.1 ms"},
	{"sleeper-20ms", "sleeper of 2.5 ms in 10, slice 20 ms"},
	{"sleeper-rivals-100ms", "sleeper of 2.5 ms in 10, rivals' slice 100 ms"},
	{"light-sleeper", "sleeper of 1 ms in 3, default slice"},
	{"light-sleeper-100us", "sleeper of 1 ms in 3, slice 0.1 ms"},
	{"spinner", "one of two spinners, default slice"},
	{"spinner-100us", "one of two spinners, slice 0.1 ms"},
	{"spinner-20ms", "one of two spinners, slice 20 ms"},
	{0},
};

static const struct metric_info slice_metrics[] = {
	{"slice", "slice as the kernel reports it", RUN_UNIT_NS, METRIC_BEHAVIOUR, 1000, SECOND},
	{"p50", "wait after waking, median", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"p90", "wait after waking, 90th percentile", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"p99", "wait after waking, 99th percentile", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"max", "wait after waking, longest", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"share", "share of the CPU time of all", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"turn", "CPU time a turn", RUN_UNIT_NS, METRIC_BEHAVIOUR, 100, MINUTE},
	{0},
};

const struct probe_info probe_info_slice = {
	.name = "slice",
	.title = "A slice of one's own",
	.what = "what asking for a slice changes: the wait of a sleeper beside two spinners, not the share",
	.how = "sched_setattr with sched_runtime, read back; a sleeper that runs 2.5 ms about every 10 (or 1 ms every "
	       "3) "
	       "beside two spinners on one CPU tells how late it ran after the time it asked for; of two spinners, one "
	       "with "
	       "another slice, share and CPU time per turn (/proc/PID/schedstat)",
	.needs = "Linux 6.12 or later",
	.sources = "sched_setattr(2); kernel/sched/fair.c, syscalls.c (custom_slice, 0.1 to 100 ms)",
	.version = 1,
	.quick_ms = 8420,
	.full_ms = 24000,
	.cases = slice_cases,
	.metrics = slice_metrics,
};

static const struct case_info wakeup_cases[] = {
	{"alone", "no spinner, slack 50 µs"},
	{"alone-slack-1ns", "no spinner, slack 1 ns"},
	{"1-hog", "one spinner, slack 50 µs"},
	{"1-hog-slack-1ns", "one spinner, slack 1 ns"},
	{"1-hog-elsewhere", "one spinner on another CPU"},
	{"2-hogs", "two spinners, slack 50 µs"},
	{"2-hogs-slack-1ns", "two spinners, slack 1 ns"},
	{"2-hogs-slice-100us", "two spinners, slice 0.1 ms"},
	{0},
};

/* Later than a minute would be another fault. */
static const struct metric_info wakeup_metrics[] = {
	{"p50", "lateness, median", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"p90", "lateness, 90th percentile", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"p99", "lateness, 99th percentile", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"max", "lateness, greatest", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"mean", "lateness, mean", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"corrected-p50", "lateness with missed wakes, median", RUN_UNIT_NS, METRIC_COST, 0, MINUTE},
	{"corrected-p90", "lateness with missed wakes, 90th percentile", RUN_UNIT_NS, METRIC_COST, 0, MINUTE},
	{"corrected-p99", "lateness with missed wakes, 99th percentile", RUN_UNIT_NS, METRIC_COST, 0, MINUTE},
	{"missed", "wakes missed", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{"queued", "wait in the run queue a turn, by the kernel", RUN_UNIT_NS, METRIC_COST, 0, MINUTE},
	{0},
};

const struct probe_info probe_info_wakeup = {
	.name = "wakeup",
	.title = "How late a sleeper runs",
	.what = "the time from when a sleeping thread meant to run until it ran, alone and beside spinners",
	.how = "clock_nanosleep to absolute times 3 ms apart, pinned beside none, one or two spinners; as observed, "
	       "and with "
	       "the wakes that a late sleeper missed counted in; timer slack by prctl; beside it the wait in the run "
	       "queue "
	       "by /proc/PID/schedstat",
	.needs = "Linux 6.12 for the short slice; two CPUs for the spinner on another CPU",
	.sources = "prctl(2) PR_SET_TIMERSLACK, clock_nanosleep(2); after cyclictest of rt-tests",
	.version = 1,
	.quick_ms = 5120,
	.full_ms = 19000,
	.cases = wakeup_cases,
	.metrics = wakeup_metrics,
};

static const struct case_info run_delay_cases[] = {
	{"two-workers", "two workers and a sleeper on one CPU"},
	{"one-moved", "one worker moved to another CPU"},
	{0},
};

static const struct metric_info run_delay_metrics[] = {
	{"wait", "part of its time a worker waited", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, PART_PPM},
	{"wait-a-turn", "wait of a worker, per turn", RUN_UNIT_NS, METRIC_COST, 0, MINUTE},
	{"sleeper-wait", "part of its time the sleeper waited", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, PART_PPM},
	{"sleeper-wait-a-turn", "wait of the sleeper, per turn", RUN_UNIT_NS, METRIC_COST, 0, MINUTE},
	{"involuntary", "a worker's involuntary switches a second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1000000},
	{"sleeper-voluntary", "the sleeper's voluntary switches a second", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0,
		1000000},
	{"worker-p50", "gap of a worker, median", RUN_UNIT_NS, METRIC_COST, 1000, MINUTE},
	{"worker-max", "gap of a worker, longest", RUN_UNIT_NS, METRIC_COST, 1000, MINUTE},
	{"sleeper-p50", "wait of the sleeper, median", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"sleeper-max", "wait of the sleeper, longest", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{0},
};

const struct probe_info probe_info_run_delay = {
	.name = "run-delay",
	.title = "Who waits, and how long",
	.what = "the waits of two workers that spin and of a sleeper that wakes every millisecond, on one CPU; then "
		"with one "
		"worker moved away",
	.how = "run time, wait and turns from /proc/PID/schedstat, switches from /proc/PID/status; each gap of 5 µs or "
	       "more "
	       "in a worker's reading of the clock, each lateness of the sleeper",
	.needs = "schedstat; two CPUs for the move",
	.sources = "Documentation/scheduler/sched-stats.rst; kernel/sched/stats.h",
	.version = 1,
	.quick_ms = 3300,
	.full_ms = 8000,
	.cases = run_delay_cases,
	.metrics = run_delay_metrics,
};

static const struct case_info idle_batch_cases[] = {
	{"idle-beside-19", "SCHED_IDLE beside nice 19"},
	{"idle-beside-0", "SCHED_IDLE beside nice 0"},
	{"batch-beside-0", "SCHED_BATCH beside SCHED_OTHER"},
	{"other-wakes", "SCHED_OTHER wakes beside a spinner"},
	{"batch-wakes", "SCHED_BATCH wakes beside a spinner"},
	{"batch-wakes-beside-idle", "SCHED_BATCH wakes beside SCHED_IDLE"},
	{0},
};

static const struct metric_info idle_batch_metrics[] = {
	{"share", "share of the CPU time of both", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"p50", "wait after waking, median", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"p90", "wait after waking, 90th percentile", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"p99", "wait after waking, 99th percentile", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{"max", "wait after waking, longest", RUN_UNIT_NS, METRIC_COST, 100, MINUTE},
	{0},
};

const struct probe_info probe_info_idle_batch = {
	.name = "idle-batch",
	.title = "Below nice 19",
	.what = "what SCHED_IDLE still gets, and what SCHED_BATCH gives up when it wakes",
	.how = "two spinners pinned to one CPU, CPU time over the CPU time of both; a sleeper beside a spinner, the "
	       "time from "
	       "when it meant to run until it ran",
	.needs = "nothing; the full run for SCHED_IDLE beside nice 0, which has a turn every second or so",
	.sources = "sched(7), SCHED_BATCH and SCHED_IDLE; WEIGHT_IDLEPRIO in kernel/sched/sched.h",
	.version = 1,
	.quick_ms = 4320,
	.full_ms = 25000,
	.cases = idle_batch_cases,
	.metrics = idle_batch_metrics,
};

static const struct case_info affinity_cases[] = {
	{"four-jobs", "four jobs, any CPU"},
	{"four-jobs-pinned", "four jobs, pinned to one CPU"},
	{"one-job", "one job, any CPU"},
	{"one-job-pinned", "one job, pinned"},
	{"one-job-rivals", "one job, any CPU, three rivals on one"},
	{"one-job-pinned-rivals", "one job, pinned beside three rivals"},
	{"mask-wider", "a mask of all CPUs that there could be"},
	{"mask-nowhere", "a mask of CPUs that are not allowed"},
	{0},
};

static const struct metric_info affinity_metrics[] = {
	{"wall", "time until all were done", RUN_UNIT_NS, METRIC_COST, 1000, 10 * MINUTE},
	{"cpu", "CPU time of a job", RUN_UNIT_NS, METRIC_COST, 1000, 10 * MINUTE},
	{"wait", "part of the time a job waited", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, PART_PPM},
	{"migrations", "changes of CPU seen, all jobs", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1000000},
	{"cpus", "CPUs a job ran on, at most", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 1024},
	{"accepted", "the mask was accepted (1) or not (0)", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"in-mask", "CPUs in the mask when read back", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 1024},
	{0},
};

const struct probe_info probe_info_affinity = {
	.name = "affinity",
	.title = "What pinning does",
	.what = "the same jobs wherever the kernel likes and pinned to one CPU, alone and beside rivals",
	.how = "each job does a fixed amount of work; time from the first start to the last end, CPU time and waiting "
	       "by the "
	       "kernel, the CPU asked for between units of about 50 µs of work",
	.needs = "two CPUs for the jobs that are not pinned",
	.sources = "sched_setaffinity(2), sched(7)",
	.version = 1,
	.quick_ms = 3800,
	.full_ms = 10000,
	.cases = affinity_cases,
	.metrics = affinity_metrics,
};

static const struct case_info cpu_count_cases[] = {
	{"free", "as the probe was started"},
	{"mask-one", "mask of one CPU"},
	{"mask-one-thread", "mask of one CPU, a thread of main"},
	{"mask-one-thread-of-worker", "mask of one CPU, a thread of a worker"},
	{"mask-one-fork", "mask of one CPU, a forked child"},
	{"mask-one-exec", "mask of one CPU, an executed program"},
	{"quota-half", "quota of half a CPU"},
	{"cpuset-one", "cpuset of one CPU"},
	{"cpuset-one-mask-all", "cpuset of one CPU, mask set to all"},
	{0},
};

static const struct metric_info cpu_count_metrics[] = {
	{"affinity", "CPUs in the mask (sched_getaffinity)", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 65536},
	{"online", "CPUs online (sysconf)", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 65536},
	{"configured", "CPUs configured (sysconf)", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 65536},
	{"quota", "CPUs by the tightest quota", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 1, 65536000},
	{0},
};

const struct probe_info probe_info_cpu_count = {
	.name = "cpu-count",
	.title = "How many CPUs are there?",
	.what = "what each way to count CPUs answers under a mask, a cpuset and a quota; who inherits a mask",
	.how = "a process of its own, put where the case says, asks sysconf, sched_getaffinity and the quotas from its "
	       "cgroup "
	       "up to the root; cgroups are made for it and removed",
	.needs = "root, and the cpu and cpuset controllers, for quota and cpuset",
	.sources = "sched_setaffinity(2), sysconf(3), cpuset(7), cgroups(7)",
	.version = 1,
	.quick_ms = 800,
	.full_ms = 1600,
	.cases = cpu_count_cases,
	.metrics = cpu_count_metrics,
};

static const struct case_info asymmetry_cases[] = {
	{"each-cpu", "each CPU in turn"},
	{"busy-sibling", "beside a busy SMT sibling"},
	{"busy-core", "beside a busy core"},
	{"clamped", "utilisation clamped to nothing"},
	{0},
};

static const struct metric_info asymmetry_metrics[] = {
	{"ratio", "slow against fast, or changed against alone", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 10, 1000000},
	{"fastest", "time of a unit of work, faster", RUN_UNIT_NS, METRIC_COST, 1000, SECOND},
	{"slowest", "time of a unit of work, slower", RUN_UNIT_NS, METRIC_COST, 1000, SECOND},
	{0},
};

const struct probe_info probe_info_asymmetry = {
	.name = "asymmetry",
	.title = "Are the CPUs equal?",
	.what = "how long the same work takes on each allowed CPU, beside a busy neighbour, and with a utilisation "
		"clamp",
	.how = "a unit of dependent work, the best time of 10 ms of trying, pinned to each CPU in turn, in reverse "
	       "order in "
	       "every other pass; at most 32 CPUs",
	.needs = "an SMT sibling, a second core, CONFIG_UCLAMP_TASK for one case each",
	.sources = "sched_setattr(2); Documentation/scheduler/sched-capacity.rst, sched-util-clamp.rst",
	.version = 1,
	.quick_ms = 1300,
	.full_ms = 3000,
	.cases = asymmetry_cases,
	.metrics = asymmetry_metrics,
};

static const struct case_info thread_nice_cases[] = {
	{"pid-main", "set by process id: the main thread"},
	{"pid-worker", "set by process id: a worker"},
	{"pid-child-of-main", "set by process id: a later thread of main"},
	{"pid-child-of-worker", "set by process id: a later thread of a worker"},
	{"tid-main", "set by a worker's thread id: the main thread"},
	{"tid-worker", "set by a worker's thread id: that worker"},
	{"before-worker", "set before there are threads: a worker"},
	{"nobody-up-and-down", "up, then down without privilege"},
	{0},
};

static const struct metric_info thread_nice_metrics[] = {
	{"nice", "nice value of the thread", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 19},
	{"share", "share beside the other spinning thread", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"niced", "threads that have the new nice value", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1000},
	{"threads", "threads of the process", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 1, 1000},
	{0},
};

const struct probe_info probe_info_thread_nice = {
	.name = "thread-nice",
	.title = "Nice belongs to a thread",
	.what = "which threads a call of setpriority reaches, and whose nice value a new thread has",
	.how = "a process with a main thread and ten workers; nice 10 by its process id, nice 5 by a worker's thread "
	       "id; nice "
	       "values read back with getpriority, threads made by main and by a worker afterwards; main and a worker "
	       "spin "
	       "on one CPU, CPU time over the CPU time of both",
	.needs = "nothing",
	.sources = "setpriority(2), C library/kernel differences; sched(7)",
	.version = 1,
	.quick_ms = 3500,
	.full_ms = 10000,
	.cases = thread_nice_cases,
	.metrics = thread_nice_metrics,
};
