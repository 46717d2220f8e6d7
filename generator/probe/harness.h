/* What a probe is, and what the harness does for it.
 *
 * A table is one probe's cases, measured in alternating passes: as listed in even passes, reversed in odd ones, after
 * one warm-up pass whose values are dropped, beside a twin (the case "aa") that measures one variant twice. Each pass
 * runs in a process of its own, in a session of its own; results come back through shared memory. A process that dies
 * or hangs costs its case, which becomes `failed`; the pass goes on in a new process behind it.
 *
 * A probe is a `struct probe_ops` and a table of cases. Its `run` measures one case once and reports with step_*. */
#ifndef RUNQ_PROBE_HARNESS_H
#define RUNQ_PROBE_HARNESS_H

#include "model/hist.h"

enum {
	PROBE_CASES_MAX = 40,
	PROBE_METRICS_MAX = 12,
	PROBE_HISTS_MAX = 2,
	PROBE_PARAMS_MAX = 10,
	PROBE_SPAN_TEXT_MAX = 24, /* bytes of a lane or state, with their end */
	PROBE_TEXT_MAX = 200,
	PROBE_CPUS_MAX = 1024,
	PROBE_WARM_UP = -1, /* the pass whose values are dropped */
};

/* What the machine offers a probe; read once, before the first table. */
struct probe_env {
	bool quick;
	int passes;
	int cpus[PROBE_CPUS_MAX], n_cpus; /* allowed to us, ascending; ids need not begin at 0 */
	int cpu, other; /* the CPU to pin to; another for a partner (no SMT sibling, if there is a choice) or -1 */
	bool other_is_sibling;
	int64_t tick_ns, quantum_ns; /* 1 / HZ; the longest stretch between equals: the larger of tick and slice */
	int64_t clock_cost_ns; /* of one CLOCK_MONOTONIC read */
};
void env_read(struct probe_env *env, bool quick, int passes);
bool env_pin(int cpu); /* the calling thread; read back */
bool env_unpin(const struct probe_env *env); /* to every allowed CPU; read back */

int64_t clock_ns(void); /* CLOCK_MONOTONIC */
void clock_sleep(int64_t ns);
int64_t spin_unit_ns(int64_t for_ns); /* best time of a fixed amount of dependent work, tried for this long */
uint64_t spin_work(uint64_t rounds); /* that work: `rounds` dependent steps, never optimised away */

struct probe_param {
	const char *key; /* a literal */
	int64_t num;
};

struct probe_hist {
	const char *name; /* a literal; NULL: not used */
	enum run_unit unit;
	struct hist hist;
};

struct probe_span {
	char lane[PROBE_SPAN_TEXT_MAX], state[PROBE_SPAN_TEXT_MAX];
	int64_t t0_ns, t1_ns; /* CLOCK_MONOTONIC */
};

/* One case's results; lives in shared memory. */
struct probe_cell {
	enum run_status status;
	char cause[PROBE_TEXT_MAX], remedy[PROBE_TEXT_MAX];
	char note[PROBE_TEXT_MAX]; /* what the row must say beside its values */
	struct probe_param params[PROBE_PARAMS_MAX];
	int n_params;
	int64_t values[PROBE_METRICS_MAX][RUN_PASSES_MAX]; /* RUN_NULL: no value */
	int64_t calibrated; /* the probe's own, 0 at first: what it learned in the warm-up pass */
	int64_t wall_ns, outside_ns; /* summed over passes: the timed part, and what of it others took */
	int64_t step_ns; /* how long the last step took, for the estimate */
	struct probe_hist hists[PROBE_HISTS_MAX];
	struct probe_span spans[RUN_SPANS_MAX];
	int n_spans, span_pass;
};

struct probe_case {
	const char *name; /* as in the registry */
	int arg[4]; /* the probe's own parameters */
};

struct probe_step {
	const struct probe_env *env;
	const struct probe_info *info;
	struct probe_cell *cell;
	int pass;
};
void step_value(struct probe_step *s, const char *metric, int64_t value);
void step_param(struct probe_step *s, const char *key, int64_t num); /* the last one stays */
/* One value into the case's histogram of that name: merged over the passes, the warm-up dropped. Not for the timed part. A
 * record holds 512 KiB for all probes: a few hundred buckets a probe. */
void step_hist(struct probe_step *s, const char *name, enum run_unit unit, int64_t value);
/* One stretch of time, by CLOCK_MONOTONIC. The first pass that gives any is recorded; the record counts from its earliest
 * span. Some hundred spans say what a picture can show. */
void step_span(struct probe_step *s, const char *lane, const char *state, int64_t t0_ns, int64_t t1_ns);
/* Others took `outside_ns` of `wall_ns` from us: more than 1 % over all passes makes the row contended. */
void step_outside(struct probe_step *s, int64_t wall_ns, int64_t outside_ns);
/* RUN_SKIPPED and RUN_REFUSED end the case; RUN_DEGRADED leaves a usable row; RUN_FAILED loses this pass. The first
 * cause stays. `remedy`: what to try, or NULL. */
void step_status(struct probe_step *s, enum run_status status, const char *remedy, const char *cause, ...)
	__attribute__((format(printf, 4, 5)));

/* What a usable row says beside its values; the last one stays. It is recorded as the row's cause, behind any other. */
void step_note(struct probe_step *s, const char *note, ...) __attribute__((format(printf, 2, 3)));

struct probe_ops {
	const char *name, *twin; /* twin: the case that "aa" repeats */
	int limit_ms; /* a step that takes longer has hung */
	const struct probe_case *cases; /* ends with a NULL name */
	void (*run)(struct probe_step *s, const struct probe_case *c);
};
extern const struct probe_ops *const probe_ops_all[]; /* ends with NULL */
const struct probe_ops *probe_ops_find(const char *name);

/* A table while it is measured. */
struct probe_table {
	const struct probe_ops *ops;
	const struct probe_info *info;
	const struct probe_env *env;
	struct probe_shared *shared;
	int n_cases; /* registry's cases and "aa", in this order */
	int passes_done; /* whole passes */
	struct run_facts before, after;
};
const char *table_case_name(const struct probe_table *t, int i);
struct probe_cell *table_cell(const struct probe_table *t, int i);
/* Where `position` of `pass` is in the list of cases. */
int table_order(int n_cases, int pass, int position);

/* Told of every step and about every quarter of a second; `left_ns` is an estimate. */
struct probe_watch {
	void (*step)(void *ctx, const struct probe_table *t, int pass, int position, int64_t left_ns);
	void *ctx;
};
/* Measures. Returns 0, or the number of the signal that stopped it. The caller holds SIGCHLD and the stopping signals
 * blocked (stop_signals_block); the facts live in `a`. */
int table_measure(struct probe_table *t, struct arena *a, const struct probe_watch *watch);
void table_free(struct probe_table *t);
void stop_signals_block(void);

/* Facts. List and texts are copies in the arena, keys are literals. */
void fact_text(struct run_facts *f, struct arena *a, const char *key, struct str text); /* empty text: null */
void fact_num(struct run_facts *f, struct arena *a, const char *key, int64_t num);
struct run_facts facts_tool(struct arena *a);
struct run_facts facts_machine(struct arena *a, const struct probe_env *env);
struct run_facts facts_context(struct arena *a, const struct probe_env *env);
/* Load around a table; `run_delay_ns` is added to our own. */
struct run_facts facts_load(struct arena *a, const struct probe_env *env, int64_t run_delay_ns);

/* The record of some tables, in the arena. */
struct run *record_build(struct arena *a, const struct probe_env *env, const struct probe_table *tables, int n);

#endif
