/* The run record (DESIGN section 8): one struct, one writer, one reader with validation. Freestanding: a probe writes it, the
 * importer and a page's wasm check it with this same code. Everything lives in the arena passed; strings of a read
 * run are copies there. */
#ifndef RUNQ_MODEL_RUN_H
#define RUNQ_MODEL_RUN_H

#include "base/buf.h"
#include "base/sha256.h"
#include "model/probe_info.h"

enum {
	RUN_BYTES_MAX = 512 * 1024,
	RUN_VALUES_MAX = 64000,
	RUN_DEPTH_MAX = 16,
	RUN_PASSES_MAX = 64,
	RUN_SPANS_MAX = 2000,
	RUN_FACTS_MAX = 64,
	RUN_TABLES_MAX = 64,
	RUN_CASES_MAX = 500,	/* per table */
	RUN_METRICS_MAX = 32,	/* per case; histograms likewise */
	RUN_TEXT_BYTES_MAX = 2000,	/* note, cause, try and facts */
	RUN_NAME_BYTES_MAX = 64,	/* probes, cases, metrics ([a-z0-9-]), fact keys ([a-z0-9_]), lanes and states */
};
#define RUN_NULL INT64_MIN	/* a pass that failed, a fact that could not be read */

enum run_status { RUN_OK, RUN_CONTENDED, RUN_DEGRADED, RUN_SKIPPED, RUN_REFUSED, RUN_FAILED, RUN_STATUS_MAX };
extern const char *const run_status_names[RUN_STATUS_MAX];
bool run_status_usable(enum run_status s);	/* ok, contended, degraded */

/* A fact: text, or an integer (`text.ptr == NULL`); RUN_NULL prints as null. Keys are snake_case. */
struct run_fact {
	struct str key, text;
	int64_t num;
};
struct run_facts {
	struct run_fact *items;
	ptrdiff_t n;
};

struct run_metric {
	struct str name;
	enum run_unit unit;
	int64_t *values;	/* one per pass, in order */
	ptrdiff_t n;
};

struct run_bucket {
	int64_t lo, hi, count;	/* of values v with lo <= v < hi */
};
struct run_hist {
	struct str name;
	enum run_unit unit;
	struct run_bucket *buckets;
	ptrdiff_t n;
};
struct run_span {
	struct str lane, state;
	int64_t t0_ns, t1_ns;
};

struct run_case {
	struct str name, twin;	/* twin: set on "aa" only, and always there */
	enum run_status status;
	struct str cause, remedy;	/* JSON keys "cause" and "try"; every status but ok has a cause */
	struct run_facts params;	/* integers */
	struct run_metric *metrics;
	ptrdiff_t n_metrics;
	struct run_hist *hists;
	ptrdiff_t n_hists;
	struct run_span *spans;
	ptrdiff_t n_spans;
};

struct run_table {
	struct str probe;
	int64_t version, passes, seed;
	struct run_facts before, after;	/* loadavg_milli, steal_ns, run_delay_ns, clock_cost_ns, … */
	struct run_case *cases;
	ptrdiff_t n_cases;
};

struct run {
	struct str nonce;	/* 16 hex digits */
	int64_t created_utc_ms;
	bool quick;
	struct run_facts tool, machine, context;
	struct str note;
	struct run_table *tables;
	ptrdiff_t n_tables;
};

/* Canonical bytes: sorted keys, no spaces; empty texts, lists and params of a case are left out. Appends to `out`; fails only
 * by out->full. Characters that no record may hold become U+FFFD, lengths are the caller's concern. */
void run_write(const struct run *r, struct buf *out);
/* `,"key":{...}` of a record or a trace; no comma behind a '{'. At most RUN_FACTS_MAX, else the buffer is set full. */
void run_write_facts(struct buf *out, struct str key, const struct run_facts *f);

/* Where and why a record was refused. `field` is a path such as "tables[1].cases[0].metrics.wall"; line and col count from 1.
 * Codes: those of text/json.h for what is no JSON of ours; then unsupported_version missing_key unknown_key wrong_type bad_name
 * too_long too_many out_of_range unknown_word duplicate_table duplicate_case bad_twin no_cause no_values values_count
 * wrong_unit bad_sum bad_histogram bad_span. */
struct run_error {
	const char *code;	/* NULL: fine */
	struct str field, what;	/* what: the rule broken and what to do, in the arena */
	int line, col;
};

struct run_result {
	struct run *run;	/* NULL on error */
	struct run_error error;
	struct str canon;	/* the canonical bytes */
	unsigned char id[SHA256_BYTES];	/* run_id: SHA-256 of "runq-run/1\n" and canon */
	unsigned char config_id[SHA256_BYTES];
	struct str flags;	/* stored, but not taken at face value: words, separated by spaces, of unknown_probe unknown_case
				 * unknown_metric few_passes bad_clock */
};

/* Reads, checks and canonicalises. A leading BOM is accepted (a file may have one; what is uploaded may not, which its door
 * checks). Metrics of the registry must have its unit and lie within its bounds when the table has its version. */
struct run_result run_validate(struct arena *a, struct str bytes);

/* The whitelist of machine facts config_id hashes, in order (DESIGN section 8); ends with NULL. All are readable without
 * privilege; one that could not be read is null. Texts: cpu_vendor cpu_model topology arch virt kernel_release preempt clocksource
 * thp cpuidle mitigations cgroup cmdline_*. Integers: cpu_family cpu_model_id cpu_stepping cpus_online ram_gib hz
 * rt_group_sched (0, 1) autogroup (0, 1) sched_rt_period_us sched_rt_runtime_us sched_ext (0, 1: the kernel has it).
 * The type is not enforced, and other facts may stand beside them. */
extern const char *const run_config_keys[];
void run_config_id(const struct run *r, unsigned char out[SHA256_BYTES]);
/* "x86-6.18-2cpu-3fa9": arch, kernel major.minor, online CPUs, first 4 hex digits of config_id. */
struct str run_machine_key(struct arena *a, const struct run *r);
const struct run_fact *run_fact_get(const struct run_facts *f, const char *key);

#endif
