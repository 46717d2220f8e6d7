/* What the parts of a build share. One struct build lives for the whole build, one struct view for one page rendered for
 * one machine. Lasting things live in build.perm, a page's things in its view's arena. */
#ifndef RUNQ_APP_BUILD_H
#define RUNQ_APP_BUILD_H

#include "app/output.h"
#include "app/site.h"
#include "model/course.h"
#include "model/expr.h"
#include "model/reference.h"
#include "store/store.h"
#include "text/template.h"

/* A machine of the site: the root one (default) or a public other, whose pages live under m/<key>/. */
struct machine {
	struct str key, label, kind;
	struct str prefix;	/* "" for the root machine, else "m/<key>/" */
	struct str kernel_line;	/* "Linux 6.18.44, 2 CPUs, 250 Hz" */
	const struct run *newest;	/* whose facts describe it; NULL if reported */
};

struct run_entry {
	int64_t row, created_ms;
	struct str id;	/* 64 hex digits */
	struct str machine, origin;
	bool quick;
	struct str canon;
	const struct run *run;
};

/* A file of data/reference: figures of one source on one machine, or the constants. */
struct source {
	int64_t run;	/* rowid, as in store_note */
	struct reference reference;
	struct str title, anchor;	/* of its heading on the sources page */
};

enum verdict { VERDICT_HOLDS, VERDICT_CONTRADICTED, VERDICT_UNCLEAR, VERDICT_UNMEASURED, VERDICT_MAX };

struct claim_result {
	enum verdict verdict;
	struct str number;	/* what `shows` gave; ptr NULL if nothing */
	struct str command;	/* what would measure it */
	struct store_note *notes;
	ptrdiff_t n_notes;
};

struct claim {
	const struct page *page;
	const struct page_block *block;
	struct str id, test, shows;
	struct expr expr;
	struct claim_result *results;	/* one a machine */
};

/* Whether the value or query written at a place gave anything on any machine. */
struct measured {
	bool yes;
	struct pos at;
	struct str text;
};

struct build {
	const struct site_options *opt;
	struct arena *perm;
	struct arena scratch;	/* passed on by value; never the arena that a text under way grows in */
	struct diag *diag;
	struct store *store;
	struct template_set *templates;
	struct course course;
	struct page **pages;	/* chapters in order, then labs, questions, plain pages */
	ptrdiff_t n_pages, cap_pages;
	struct machine *machines;	/* the root machine first */
	ptrdiff_t n_machines;
	struct run_entry *runs;	/* newest first */
	ptrdiff_t n_runs;
	struct source *sources;	/* by source and machine */
	ptrdiff_t n_sources;
	struct claim *claims;	/* in the order of the course */
	ptrdiff_t n_claims;
	struct str_map claim_ids;	/* indexes of claims */
	struct measured *measured;
	ptrdiff_t n_measured, cap_measured;
	struct str_map measured_at;	/* indexes of measured, by "path:line:col" */
	struct outputs out;
	struct drawing *drawings;
	ptrdiff_t n_drawings, cap_drawings;
	struct worker *workers;
	struct sim_set *sims;	/* sims.h; NULL before sims_load */
	int drawn;	/* pictures that were not there already */
};

/* A page being rendered for a machine. */
struct view {
	struct build *b;
	const struct machine *m;
	const struct page *page;	/* NULL for pages that no content file makes */
	struct str out;	/* path of the page */
	struct str root;	/* "", "../", … : from the page to the site's root */
	struct arena *a;
	struct store_note *notes;	/* all runs behind the page */
	ptrdiff_t n_notes, cap_notes;
	struct tobj *frame;	/* context of the frame around the page's own */
	struct tobj *margin;	/* items of the current paragraph's margin note, NULL when none */
	int margin_items;
	struct str margin_last;	/* its last item's note */
	bool scripted;	/* the simulator's scripts are on the page already */
	bool quiet;	/* values go into no margin note */
	struct str card, card_alt;	/* path of the page's picture for shared links, or none */
};

/* load.c: content, templates, machines, runs. False after an error that leaves nothing to build. */
const char *build_path(struct build *b, struct str below);	/* below the course's root */
bool load_content(struct build *b);
bool load_machines(struct build *b);
const struct page *build_page(const struct build *b, enum page_kind kind, struct str slug);
const struct course_chapter *build_chapter(const struct build *b, struct str slug);
const struct machine *build_machine(const struct build *b, struct str key);
const struct run_entry *build_run(const struct build *b, int64_t row);
/* What is written at `at` gave something, or nothing, on the bound machine; `text` says what it is, as in "this value". */
void build_measured(struct build *b, struct pos at, bool yes, const char *text);

/* sources.c: what others reported. False when the store failed. */
bool sources_load(struct build *b);
const struct source *build_source(const struct build *b, int64_t run);	/* NULL: no reported figures */
/* Where a figure of that case stands, else the source's heading. */
struct str source_href(const struct view *v, const struct source *s, struct str probe, struct str kase);
void sources_fields(struct view *v, struct tobj *c);	/* of the template "sources" */
void known_facts(struct view *v, struct tobj *o, struct str machine);	/* items of its list "facts", for a reported machine */

/* view.c */
struct view view_new(struct build *b, const struct machine *m, const struct page *page, struct str out, struct arena *a);
/* Fills the frame's context and returns the page's own, with what both share. */
struct tobj *view_context(struct view *v, struct str title, struct str description);
/* Renders template `name` with the page's own context, puts it into the frame and adds the page to the output. */
void view_finish(struct view *v, const char *name, struct tobj *context);
struct html view_partial(struct view *v, const char *name, struct tobj *context);
struct html view_inline(struct view *v, const struct md_doc *doc);
struct html view_body(struct view *v, const struct md_doc *doc);
struct str html_plain(struct arena *a, struct html h);	/* text without tags */
/* Addresses from the site's root (templates put {{root}} before them): a page of the course in this view's machine edition,
 * a run or the case of it that was noted, what stands behind a number (the run, or the page's list of several). */
struct str view_href(const struct view *v, const struct page *target);
struct str view_run_href(const struct view *v, const struct store_note *n);
struct str view_notes_href(const struct view *v, const struct store_note *notes, ptrdiff_t n);
void view_add_notes(struct view *v, const struct store_note *notes, ptrdiff_t n);
void view_list_runs(struct view *v, struct tobj *context, const struct store_note *notes, ptrdiff_t n);
/* The course's parts and their chapters as list `list` of a context; `more` adds what only that list shows of a chapter. */
void view_parts(struct view *v, struct tobj *c, const char *list, void (*more)(struct view *v, struct tobj *chapter, const struct page *p));
struct str date_text(struct arena *a, int64_t ms);	/* "30 Nov 2026", UTC */
struct str count_text(struct arena *a, int n);	/* empty for none, so that a template's section is false */
struct str romans(int part);	/* 0 is "I" */

/* blocks.c: values and blocks in Markdown */
struct md_hooks view_hooks(struct view *v);
struct str command_for(struct arena *a, struct str sql);	/* "runq-probe run create switch", from the probes named in SQL */
void report_sql(struct view *v, const struct store_query_error *err, struct pos at, struct str sql);

/* draw.c: PNG files are queued while pages are made and drawn by opt->jobs threads, but for those that folder `out` has already;
 * their bytes live until draw_free. */
void draw_later(struct build *b, const struct chart *c, struct str path, struct str from);
void draw_card_later(struct build *b, const struct chart *c, struct str path, struct str from);
void draw_all(struct build *b, const char *out);
void draw_free(struct build *b);

/* card.c: a chart drawn on a page may become its card; the frame's tags. */
void card_offer(struct view *v, const struct chart *c, struct str from);
void card_tags(struct view *v);

/* figure.c */
void figure_chart(struct view *v, struct html_out *w, const struct page_block *b);
void figure_table(struct view *v, struct html_out *w, const struct page_block *b);

/* claims.c */
void claims_collect(struct build *b);
void claims_evaluate(struct build *b, const struct machine *m);	/* m is bound */
const struct claim *claim_find(const struct build *b, struct str id);
void claim_fields(struct view *v, struct tobj *o, const struct claim *c);	/* verdict, number, runs for partials */
void claim_block(struct view *v, struct html_out *w, const struct page_block *b);
void claim_verdict(struct tobj *o, const struct claim_result *r);	/* ok bad unclear no, one of them true */
extern const char *const verdict_names[VERDICT_MAX];	/* these four */
struct html claim_number(struct view *v, const struct claim_result *r);	/* linked to its run; empty if there is none */
void claims_count(const struct build *b, const struct machine *m, const struct page *p, int counts[VERDICT_MAX]);

/* matrix.c */
/* What a reader of run files must know of the measurements in `test` and `shows`: "create/fork=wall=1=cost …": key, metric, version of
 * the probe, class. */
struct str claim_keys(struct arena *a, const struct claim *c);
void claims_page(struct build *b, struct arena *a);

/* differs.c: conditions name facts of a run record, `kernel` (its version) or `kind`; an unknown one is an error. The text is all that is
 * known of why the verdict on this machine is not "holds"; empty if it is, or nothing is known. */
void differs_check(struct diag *d, const struct head *h);
struct str differs_text(const struct head *h, const struct machine *m, enum verdict verdict, struct arena *a, struct arena scratch);

/* flips.c: claims whose verdict differs between two runs that both measured it. Results live in `a`; the store is left bound to the
 * second run. False after a failure of the store. */
struct flip {
	const struct claim *claim;
	struct claim_result results[2];
};
bool flips_find(struct build *b, const int64_t runs[2], struct str kind, struct arena *a, struct flip **flips, ptrdiff_t *n, ptrdiff_t *n_judged);
const char *verdict_word(enum verdict v);	/* "holds" … */

/* machine.c: the unit to show a cell of that unit with. */
struct str figure_unit(struct str unit);
void fact_item(struct tobj *group, const char *list, const struct run_fact *f);	/* an item with `name` and `value` */

/* pages.c, home.c, machine.c, evidence.c: the pages themselves */
void page_content(struct build *b, const struct machine *m, const struct page *p, struct arena *a);
void page_home(struct build *b, const struct machine *m, struct arena *a);
void page_indexes(struct build *b, const struct machine *m, struct arena *a);
void page_machine(struct build *b, const struct machine *m, struct arena *a);
void page_machines(struct build *b, struct arena *a);
void page_compare(struct build *b, struct arena *a);	/* all machines side by side; the root machine is bound */
void page_changes(struct build *b, struct arena *a);	/* leaves the root machine bound */
void page_run(struct build *b, const struct run_entry *r, struct arena *a);	/* of a machine that build_machine knows */

#endif
