/* The registry's entries about tasks: what they are, what making, switching and handing over cost. */
#include "model/probe_info_list.h"

static const struct case_info create_rss_cases[] = {
	{"0", "fork, nothing added"},
	{"1m", "fork, 1 MiB touched"},
	{"16m", "fork, 16 MiB touched"},
	{"64m", "fork, 64 MiB touched"},
	{"256m", "fork, 256 MiB touched"},
	{"1g", "fork, 1 GiB touched"},
	{"64m-huge", "fork, 64 MiB in huge pages"},
	{"256m-huge", "fork, 256 MiB in huge pages"},
	{"1g-huge", "fork, 1 GiB in huge pages"},
	{"64m-vfork", "vfork, 64 MiB touched"},
	{"64m-write", "fork, 64 MiB, child writes 1,000 pages"},
	{"64m-huge-write", "fork, 64 MiB huge, child writes at 1,000 places"},
	{0},
};

/* Page tables of a terabyte would be 2 GiB. */
static const struct metric_info create_rss_metrics[] = {
	{"wall", "fork, exit and wait", RUN_UNIT_NS, METRIC_COST, 50, 10 * SECOND},
	{"write", "each write of the child", RUN_UNIT_NS, METRIC_COST, 1, SECOND},
	{"tables", "page tables of the maker", RUN_UNIT_BYTES, METRIC_BEHAVIOUR, 0, INT64_C(1) << 31},
	{"huge", "of the memory, in huge pages", RUN_UNIT_BYTES, METRIC_BEHAVIOUR, 0, INT64_C(1) << 40},
	{0},
};

const struct probe_info probe_info_create_rss = {
	.name = "create-rss",
	.title = "Fork against memory",
	.what = "what fork, exit and wait cost when the maker has touched more memory, in base pages or huge ones",
	.how = "memory is mapped, advised (MADV_NOHUGEPAGE or MADV_HUGEPAGE, read back from smaps) and touched page by "
	       "page; then a batch of forks is timed; in the cases named write the child writes to pages it shares "
	       "and times that; all on one CPU",
	.needs = "twice the memory of the case; transparent huge pages for the cases in huge pages",
	.sources = "fork(2), madvise(2), proc(5); copy_page_range in mm/memory.c",
	.version = 1,
	.quick_ms = 3800,
	.full_ms = 15200,
	.cases = create_rss_cases,
	.metrics = create_rss_metrics,
};

static const struct case_info pool_breakeven_cases[] = {
	{"thread-10us", "a thread for each item of 10 \xc2\xb5s"},
	{"process-10us", "a process for each item of 10 \xc2\xb5s"},
	{"thread-pool-10us", "waiting threads, items of 10 \xc2\xb5s"},
	{"process-pool-10us", "waiting processes, items of 10 \xc2\xb5s"},
	{"thread-100us", "a thread for each item of 100 \xc2\xb5s"},
	{"process-100us", "a process for each item of 100 \xc2\xb5s"},
	{"thread-pool-100us", "waiting threads, items of 100 \xc2\xb5s"},
	{"process-pool-100us", "waiting processes, items of 100 \xc2\xb5s"},
	{"thread-1ms", "a thread for each item of 1 ms"},
	{"process-1ms", "a process for each item of 1 ms"},
	{"thread-pool-1ms", "waiting threads, items of 1 ms"},
	{"process-pool-1ms", "waiting processes, items of 1 ms"},
	{0},
};

/* Eight workers cannot gain more than eightfold; twice that for a disturbed baseline. */
static const struct metric_info pool_breakeven_metrics[] = {
	{"item", "wall time per item", RUN_UNIT_NS, METRIC_COST, 100, 10 * SECOND},
	{"alone", "the same item without workers", RUN_UNIT_NS, METRIC_COST, 100, 10 * SECOND},
	{"gain", "times faster than without workers", RUN_UNIT_MILLI, METRIC_COST, 0, 16000},
	{0},
};

const struct probe_info probe_info_pool_breakeven = {
	.name = "pool-breakeven",
	.title = "When a worker pays",
	.what = "from which item length on new threads, new processes or waiting ones beat doing it oneself",
	.how = "items of a known length are done alone, then by one worker per CPU (eight at most), a round of one "
	       "item "
	       "each at a time; gain is the quotient of the two and above one where workers pay",
	.needs = "two CPUs for any gain",
	.sources = "fork(2), pthread_create(3), pipe(7); break-even at c P / (P - 1) for creation cost c on P CPUs",
	.version = 1,
	.quick_ms = 1800,
	.full_ms = 7200,
	.cases = pool_breakeven_cases,
	.metrics = pool_breakeven_metrics,
};

static const struct case_info python_start_cases[] = {
	{"start", "an interpreter of Python, from start to end"},
	{"worker-fork", "multiprocessing, fork"},
	{"worker-forkserver", "multiprocessing, forkserver"},
	{"worker-spawn", "multiprocessing, spawn"},
	{0},
};

/* No interpreter starts in the time of a system call; one may take a minute under emulation. */
static const struct metric_info python_start_metrics[] = {
	{"wall", "time per start", RUN_UNIT_NS, METRIC_COST, 1000, 60 * SECOND},
	{0},
};

const struct probe_info probe_info_python_start = {
	.name = "python-start",
	.title = "The price of an interpreter",
	.what = "what starting Python costs, and what one more worker process costs a running Python",
	.how = "python3 -I -c pass is run to its end; in the other cases a running Python starts and joins workers "
	       "that do "
	       "nothing, by each way of multiprocessing, after a first one that is not timed",
	.needs = "python3 in PATH",
	.sources = "multiprocessing in Python's library reference, contexts and start methods",
	.version = 1,
	.quick_ms = 1000,
	.full_ms = 4000,
	.cases = python_start_cases,
	.metrics = python_start_metrics,
};

static const struct case_info clone_flags_cases[] = {
	{"fork", "no flag: fork"},
	{"files", "CLONE_FILES"},
	{"fs", "CLONE_FS"},
	{"vm", "CLONE_VM"},
	{"vm-sighand", "CLONE_VM, SIGHAND"},
	{"vm-fs-files-sighand", "CLONE_VM, FS, FILES, SIGHAND"},
	{"vfork-alone", "CLONE_VFORK"},
	{"vfork", "CLONE_VFORK, VM: vfork"},
	{"pthread", "all and CLONE_THREAD: pthread_create"},
	{"sighand", "CLONE_SIGHAND without VM"},
	{"thread", "CLONE_THREAD without VM, SIGHAND"},
	{"vm-thread", "CLONE_VM, THREAD without SIGHAND"},
	{"sighand-thread", "CLONE_SIGHAND, THREAD without VM"},
	{"fs-newns", "CLONE_FS, NEWNS"},
	{0},
};

static const struct metric_info clone_flags_metrics[] = {
	{"accepted", "the kernel accepts it", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"error", "errno of the refusal", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 4095},
	{"memory", "a written variable is seen", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"files", "an opened descriptor is seen", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"cwd", "a changed folder is seen", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"handlers", "a changed signal action is seen", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"process", "both have one process id", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"waits", "the maker sleeps until the end", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 1},
	{"wall", "create, end and collect", RUN_UNIT_NS, METRIC_COST, 50, SECOND},
	{0},
};

const struct probe_info probe_info_clone_flags = {
	.name = "clone-flags",
	.title = "One call, many settings",
	.what = "which flags clone takes together, what they make two tasks share, what a task made so costs",
	.how = "the made task changes a variable, its descriptors, its folder and a signal's action, and its maker "
	       "looks "
	       "for each; pairs of flags that do not fit are given to the system call itself; then a batch of tasks "
	       "that end at once is timed; all on one CPU",
	.needs = "nothing",
	.sources = "clone(2); copy_process in kernel/fork.c",
	.version = 1,
	.quick_ms = 1200,
	.full_ms = 4800,
	.cases = clone_flags_cases,
	.metrics = clone_flags_metrics,
};

static const struct case_info thread_shares_cases[] = {
	{"1-1", "one thread beside one"},
	{"1-3", "one thread beside three"},
	{"1-7", "one thread beside seven"},
	{"1-3-sessions", "one thread beside three, two sessions"},
	{0},
};

static const struct metric_info thread_shares_metrics[] = {
	{"share-many", "share of the process with more threads", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"per-thread", "part of the CPU of each of its threads", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{0},
};

const struct probe_info probe_info_thread_shares = {
	.name = "thread-shares",
	.title = "Threads are what is scheduled",
	.what = "what a process of one spinning thread gets beside a process of several, on one CPU",
	.how = "both processes are pinned to one CPU, in one session or each in its own; their CPU clocks are read "
	       "from "
	       "another CPU at the ends of a window of equal turns",
	.needs = "autogroup for the case with two sessions; a second CPU makes the readings better",
	.sources = "sched(7), clock_getcpuclockid(3); kernel/sched/autogroup.c",
	.version = 1,
	.quick_ms = 3800,
	.full_ms = 13000,
	.cases = thread_shares_cases,
	.metrics = thread_shares_metrics,
};

static const struct case_info switch_footprint_cases[] = {
	{"0", "no memory"},
	{"16k", "16 KiB each"},
	{"64k", "64 KiB each"},
	{"half-l2", "half of L2 each"},
	{"l2", "L2 each"},
	{"2l2", "twice L2 each"},
	{"half-llc", "half of the last cache each"},
	{"pages64", "a line in 64 pages each"},
	{"pages512", "a line in 512 pages each"},
	{"0-process", "no memory, processes"},
	{"64k-process", "64 KiB each, processes"},
	{"l2-process", "L2 each, processes"},
	{"pages64-process", "a line in 64 pages each, processes"},
	{"pages512-process", "a line in 512 pages each, processes"},
	{"64k-move", "64 KiB, moved to another CPU"},
	{"l2-move", "L2, moved to another CPU"},
	{0},
};

/* A difference: negative where the baseline was slower. */
static const struct metric_info switch_footprint_metrics[] = {
	{"extra", "more per switch (or move) than without", RUN_UNIT_NS, METRIC_COST, -10 * SECOND, 10 * SECOND},
	{"turn", "a turn with switches", RUN_UNIT_NS, METRIC_COST, 20, 10 * SECOND},
	{"still", "a turn without switches", RUN_UNIT_NS, METRIC_COST, 1, 10 * SECOND},
	{"switches", "switches per round trip", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 10000000},
	{0},
};

const struct probe_info probe_info_switch_footprint = {
	.name = "switch-footprint",
	.title = "The price of cold caches",
	.what = "how much dearer a switch is when both sides use memory, and what moving to another CPU costs",
	.how = "two sides on one CPU take turns through a pipe, each walking its array in random order; one thread "
	       "walks "
	       "the same two arrays with the same system calls for comparison; the signed difference is divided by "
	       "counted switches; a range that straddles zero is not distinguishable from none",
	.needs = "cache sizes in sysfs for the cases named after caches; two CPUs for moves",
	.sources = "after lat_ctx of lmbench; getrusage(2), sched_setaffinity(2)",
	.version = 1,
	.quick_ms = 3100,
	.full_ms = 12400,
	.cases = switch_footprint_cases,
	.metrics = switch_footprint_metrics,
};

static const struct case_info handoff_cases[] = {
	{"1us", "items of 1 \xc2\xb5s"},
	{"5us", "items of 5 \xc2\xb5s"},
	{"20us", "items of 20 \xc2\xb5s"},
	{"100us", "items of 100 \xc2\xb5s"},
	{"5us-batch4", "items of 5 \xc2\xb5s, four at a time"},
	{"5us-batch16", "items of 5 \xc2\xb5s, 16 at a time"},
	{"5us-batch64", "items of 5 \xc2\xb5s, 64 at a time"},
	{"5us-cross", "items of 5 \xc2\xb5s, two CPUs"},
	{"100us-cross", "items of 100 \xc2\xb5s, two CPUs"},
	{0},
};

static const struct metric_info handoff_metrics[] = {
	{"item", "wall time per item", RUN_UNIT_NS, METRIC_COST, 100, SECOND},
	{"alone", "the same item by one thread alone", RUN_UNIT_NS, METRIC_COST, 100, SECOND},
	{"handing", "handing over, per item", RUN_UNIT_NS, METRIC_COST, -SECOND, SECOND},
	{"overhead", "part of the time that is no work", RUN_UNIT_PPM, METRIC_COST, -WHOLE_PPM, WHOLE_PPM},
	{"switches", "switches per item", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_handoff = {
	.name = "handoff",
	.title = "Work per hand-over",
	.what = "what part of the time is lost when items of work change hands, and what batches save",
	.how = "two threads take turns: each does a batch of items of known length, hands over through a pipe and "
	       "sleeps; "
	       "as many items by one thread alone come first, and the difference is the price of handing over",
	.needs = "two CPUs for the cases on two CPUs",
	.sources = "pipe(7), getrusage(2); overhead h / (h + w)",
	.version = 1,
	.quick_ms = 2300,
	.full_ms = 9200,
	.cases = handoff_cases,
	.metrics = handoff_metrics,
};
