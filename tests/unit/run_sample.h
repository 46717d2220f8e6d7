/* A run with every part, for the tests of the record. Included by one program each. */
#ifndef RUNQ_TESTS_UNIT_RUN_SAMPLE_H
#define RUNQ_TESTS_UNIT_RUN_SAMPLE_H

#include "model/run.h"

static struct arena_block block;
static struct arena arena;

static inline struct run_fact text_fact(const char *key, const char *text)
{
	return (struct run_fact){.key = str_of(key), .text = str_of(text)};
}

static inline struct run_fact int_fact(const char *key, int64_t v)
{
	return (struct run_fact){.key = str_of(key), .num = v};
}

#define FACTS(...)                                                                                                     \
	((struct run_facts){                                                                                           \
		(struct run_fact[]){__VA_ARGS__}, sizeof((struct run_fact[]){__VA_ARGS__}) / sizeof(struct run_fact)})

/* A run with every part, its keys out of order. The arrays live as long as the program. */
static inline struct run *sample(void)
{
	static int64_t fork_ns[] = {127000, RUN_NULL, 126000, 128000, 127500, 127100},
		       twin_ns[] = {127001, 5000, 6000, 7000, 8000, 9000};
	static int64_t share1[] = {500000, 500000, 500000, 500000, 500000, 500001},
		       share2[] = {500000, 500000, 500000, 500000, 500000, 499999};
	static struct run_metric fork_metrics[1], twin_metrics[1], nice_metrics[2];
	static struct run_bucket buckets[] = {{0, 1, 4}, {64, 66, 1}, {1024, 1056, 2}};
	static struct run_hist hists[1];
	static struct run_span spans[1];
	static struct run_fact params[2], machine[7], tool[2], context[2], before[2], after[2];
	static struct run_case create_cases[3], nice_cases[1];
	static struct run_table tables[2];
	static struct run run;

	fork_metrics[0] = (struct run_metric){STR("wall"), RUN_UNIT_NS, fork_ns, 6};
	twin_metrics[0] = (struct run_metric){STR("wall"), RUN_UNIT_NS, twin_ns, 6};
	nice_metrics[0] = (struct run_metric){STR("share2"), RUN_UNIT_PPM, share2, 6};
	nice_metrics[1] = (struct run_metric){STR("share1"), RUN_UNIT_PPM, share1, 6};
	hists[0] = (struct run_hist){STR("latency"), RUN_UNIT_NS, buckets, 3};
	spans[0] = (struct run_span){STR("lane \"1\""), STR("running"), 5, 9};
	params[0] = int_fact("pinned", 1);
	params[1] = int_fact("batch", 200);
	create_cases[0] = (struct run_case){.name = STR("fork"),
		.params = {params, 2},
		.metrics = fork_metrics,
		.n_metrics = 1,
		.hists = hists,
		.n_hists = 1,
		.spans = spans,
		.n_spans = 1};
	create_cases[1] =
		(struct run_case){.name = STR("aa"), .twin = STR("fork"), .metrics = twin_metrics, .n_metrics = 1};
	create_cases[2] = (struct run_case){.name = STR("spawn-true"),
		.status = RUN_SKIPPED,
		.cause = STR("no /bin/true"),
		.remedy = STR("install coreutils")};
	nice_cases[0] = (struct run_case){.name = STR("0-0"), .metrics = nice_metrics, .n_metrics = 2};
	before[0] = int_fact("steal_ns", 0);
	before[1] = int_fact("loadavg_milli", 120);
	after[0] = int_fact("steal_ns", RUN_NULL);
	after[1] = int_fact("loadavg_milli", 130);
	tables[0] = (struct run_table){STR("create"), 1, 6, 7, {before, 2}, {after, 2}, create_cases, 3};
	tables[1] = (struct run_table){STR("nice"), 1, 6, 0, {NULL, 0}, {NULL, 0}, nice_cases, 1};
	machine[0] = text_fact("kernel_release", "6.18.44-amd64");
	machine[1] = text_fact("arch", "x86_64");
	machine[2] = int_fact("cpus_online", 2);
	machine[3] = text_fact("cpu_model", "A \"fast\" CPU\xc2\xae \\ <b>");
	machine[4] = text_fact("virt", "");
	machine[5] = int_fact("hz", RUN_NULL);
	machine[6] = text_fact("not_in_the_whitelist", "x");
	tool[0] = text_fact("version", "1");
	tool[1] = text_fact("cc", "gcc");
	context[0] = int_fact("rlimit_nice", -20);
	context[1] = text_fact("affinity", "0-1");
	run = (struct run){.nonce = STR("0123456789abcdef"),
		.created_utc_ms = 1790000000000,
		.tool = {tool, 2},
		.machine = {machine, 7},
		.context = {context, 2},
		.note = STR("two\nlines"),
		.tables = tables,
		.n_tables = 2};
	return &run;
}

static inline struct str written(struct arena *a, const struct run *r)
{
	struct buf b = buf_new(a);

	run_write(r, &b);
	assert_false(b.full);
	return buf_str(&b);
}

static inline void assert_fine(const struct run_result *r)
{
	if (r->error.code)
		fail_msg("%s %.*s: %.*s", r->error.code, STR_FMT(r->error.field), STR_FMT(r->error.what));
	assert_non_null(r->run);
}

static inline int set_up(void **state)
{
	arena = arena_new(&block, (ptrdiff_t)1 << 30);
	(void)state;
	return 0;
}

static inline int tear_down(void **state)
{
	arena_free(&block);
	(void)state;
	return 0;
}

#endif
