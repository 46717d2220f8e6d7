/* Simulated scenarios of a course: its sim blocks, run once a build, what SQL may ask of them, and how they are drawn. */
#ifndef RUNQ_APP_SIMS_H
#define RUNQ_APP_SIMS_H

#include "app/build.h"
#include "sim/sim.h"

/* A scenario that ran. All of it lives in the arena given to sims_run. */
struct sim_done {
	struct sim_scenario sc;
	struct sim_result result;
	struct sim_record *log;	/* result.records of them */
	struct sim_figures *figures;	/* one a task */
};

struct sim_block {
	const struct page *page;
	struct str id, text;	/* text: the scenario as written, with the head's profile before it */
	struct sim_done done;
};

/* Runs it to its end. The text says why that failed ("what; what to do"); empty if it did not. */
struct str sims_run(struct arena *a, struct sim_done *d, struct arena scratch);

/* All sim blocks of the course into b->sims, and the SQL function sim('block-id:metric') into the store if there is one. Errors are diagnostics. */
void sims_load(struct build *b);
const struct sim_block *sims_find(const struct build *b, struct str id);	/* NULL: none */
/* An expression with each sim('…') replaced by its number, so that whoever evaluates it needs no simulator; the same text without
 * any. Errors are diagnostics at their place. */
struct str sims_fold(struct build *b, struct pos at, struct str expr);
/* Address of the block that the first sim('…') of an expression names; empty without one. */
struct str sims_href(const struct view *v, struct str expr);

/* A metric by name: "share-a", "run-median-a", "switches"; for all see sims_metric.c. Times in ns, shares as fractions, NaN for what
 * did not happen; a name instead of a number for who runs at a time ("at-16ms", "at-16ms-cpu1"): *who. The text is an error or empty. */
struct str sims_metric(struct arena *a, const struct sim_done *d, struct str metric, double *value, struct str *who);

/* sims_draw.c. How much of it a picture shows: a round time with a few dozen switches, ns. */
int64_t sims_window(const struct sim_done *d);
/* A timeline of the first `window` ns: CPUs, then tasks. False, with a diagnostic at `at`, when it cannot be drawn. */
bool sims_timeline(struct arena *a, const struct sim_done *d, int64_t window, struct chart *c, struct diag *diag, struct pos at);
/* Every switch and wake-up of that time with its reason, as a table; at most rows_max rows. */
struct grid sims_table(struct arena *a, const struct sim_done *d, int64_t window, ptrdiff_t rows_max);
/* "Linux 6.18 (EEVDF), 2 CPUs, 250 Hz". */
struct str sims_badge(struct arena *a, const struct sim_scenario *sc);

/* sims_block.c */
void sims_block(struct view *v, struct html_out *w, const struct page_block *b);
/* playground.c: the page, and the scripts that work in it. */
void page_playground(struct build *b, struct arena *a);

/* sim_wasm.c: the simulator for the page; empty if this runq was built without clang and wasm-ld. */
struct str sim_wasm(void);

#endif
