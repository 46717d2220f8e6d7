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
};
#define RUN_NULL INT64_MIN	/* a pass that failed, a fact that could not be read */

enum run_status { RUN_OK, RUN_CONTENDED, RUN_DEGRADED, RUN_SKIPPED, RUN_REFUSED, RUN_FAILED, RUN_STATUS_MAX };
extern const char *const run_status_names[RUN_STATUS_MAX];
bool run_status_usable(enum run_status s);	/* ok, contended, degraded */

/* A fact: text, or an integer (`text.ptr == NULL`); RUN_NULL prints as null. */
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
	int64_t lo, hi, count;
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
	struct str name, twin;	/* twin: set on "aa" only */
	enum run_status status;
	struct str cause, remedy;	/* JSON keys "cause" and "try" */
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

/* Canonical bytes: sorted keys, no spaces. Appends to `out`; fails only by out->full. */
void run_write(const struct run *r, struct buf *out, struct arena scratch);

/* Where and why a record was refused. `field` is a path such as "tables[1].cases[0].metrics.wall"; line and col count from 1. */
struct run_error {
	const char *code;	/* NULL: fine. "bad_json", "duplicate_key", "too_deep", "unknown_key", "out_of_range", … */
	struct str field, what;	/* what: the rule broken and what to do, in the arena */
	int line, col;
};

struct run_result {
	struct run *run;	/* NULL on error */
	struct run_error error;
	struct str canon;	/* the canonical bytes */
	unsigned char id[SHA256_BYTES];	/* run_id: SHA-256 of "runq-run/1\n" and canon */
	unsigned char config_id[SHA256_BYTES];
	struct str flags;	/* implausible but stored: words separated by spaces, e.g. "unknown_probe clock_ahead" */
};

/* Reads, checks and canonicalises. A leading BOM is accepted. */
struct run_result run_validate(struct arena *a, struct str bytes);

/* The whitelist of machine facts config_id hashes, in order (DESIGN section 8); ends with NULL. */
extern const char *const run_config_keys[];
void run_config_id(const struct run *r, unsigned char out[SHA256_BYTES], struct arena scratch);
/* "x86-6.18-2cpu-3fa9": arch, kernel major.minor, online CPUs, first 4 hex digits of config_id. */
struct str run_machine_key(struct arena *a, const struct run *r);
const struct run_fact *run_fact_get(const struct run_facts *f, const char *key);

#endif
