/* The store: SQLite behind a few verbs. Results live in the arena passed; sqlite3 appears in store/ only. Every failing
 * call leaves a text in store_error: what happened; what to do. One store per thread. */
#ifndef RUNQ_STORE_STORE_H
#define RUNQ_STORE_STORE_H

#include "model/run.h"
#include "model/series.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE };
enum store_result { STORE_OK, STORE_DUPLICATE, STORE_ERROR, STORE_NEWER /* schema of a newer runq */, STORE_BUSY };

/* Opens `path`, creating and migrating it (and making its folder) when STORE_WRITE. NULL on failure, with *result and
 * text in *why. The path ":memory:" with STORE_WRITE is an empty database that ends with store_close. The tables are described in
 * schema.c. */
struct store *store_open(
	struct arena *a, const char *path, enum store_mode mode, enum store_result *result, struct str *why);
void store_close(struct store *s); /* NULL is fine */
struct str store_error(const struct store *s);
enum store_result store_last(
	const struct store *s); /* of the last failure: STORE_BUSY when another program holds the file */

/* Everything between begin and commit is one transaction; on a STORE_READ store, one unchanging view of the
 * database. Verbs that write are all or nothing by themselves. */
bool store_begin(struct store *s);
bool store_commit(struct store *s);
void store_rollback(struct store *s); /* leaves store_error as it was; fine without a transaction */

/* `origin` is one of local committed reported imported submitted. Adds the run, its machine, facts and cells.
 * DUPLICATE adds nothing, but a stronger origin (submitted < reported < imported < committed < local) is taken over,
 * so that the order of imports does not matter. */
enum store_result store_put_run(struct store *s, const struct run_result *r, const char *origin, struct arena scratch);
bool store_set_local_machine(struct store *s, struct str machine_key); /* public on its own site, too */
/* A label file of data/machines: label and public flag of a machine key. Kind: measured (or empty), emulated,
 * reported. */
bool store_put_label(struct store *s, struct str machine_key, struct str label, bool is_public, struct str kind);

struct store_submission {
	struct str run_id_hex, student, lab, reason; /* reason: why refused, empty if accepted */
	int64_t t_ms; /* when it arrived; afterwards when it counts: DUPLICATE gives the original time */
	bool late, student_added;
};
/* Files a run that is in the store for a student and lab, or, with a reason, the refusal. A reason given is kept;
 * else the policy is decided here: unknown lab or run, a probe of the lab missing (field `tables`). Refusals are
 * STORE_OK with a reason, which lives until the next call, and add no student; failures of the database are
 * STORE_ERROR or STORE_BUSY. Late from 120 s after due. */
enum store_result store_put_submission(struct store *s, struct store_submission *sub, struct str answers_json);
bool store_put_lab(struct store *s, struct str lab, struct str probes, int64_t due_ms /* RUN_NULL: none */);

/* Reading for pages. Binds the TEMP views summary, all_cells, sample, bucket, span, fact to this machine (empty key:
 * meta.local_machine, else the first public machine, else none: then everything is unmeasured and store_machine is
 * empty). False if the machine is unknown. What is written later shows after the next store_bind. */
bool store_bind(struct store *s, struct str machine_key);
/* The same, but of one run alone: its values are the current ones, whatever newer or fuller runs there are; probes of another version
 * than the registry's are left out as ever. `run` is a rowid. */
bool store_bind_run(struct store *s, int64_t run);
struct str store_machine(const struct store *s); /* the bound key, until the next store_bind */

/* Runs noted (through note(run, x), med() …) since the last store_notes_take: run rowids, ascending, once each. */
struct store_note {
	int64_t run;
	struct str id_hex, probe, case_id; /* case_id empty when several; probe too */
	int64_t created_ms;
	bool quick;
};
ptrdiff_t store_notes_take(struct store *s, struct arena *a, struct store_note **notes);

struct store_query_error {
	struct str text; /* SQLite's message */
	ptrdiff_t offset; /* byte in the SQL, or -1 */
};
/* One SELECT or WITH statement on the bound machine, at most max_rows (more is an error). Anything else is refused
 * by the authorizer, as are all tables but the views above and kernel_weight, and functions that differ from day to
 * day. */
bool store_query(struct store *s, struct str sql, ptrdiff_t max_rows, struct arena *a, struct grid *out,
	struct store_query_error *err);
/* One scalar expression: `SELECT (expr)`. The text is empty with ptr NULL when NULL; num is NaN when that is no
 * number. */
bool store_value(struct store *s, struct str expr, struct arena *a, struct str *text, double *num,
	struct store_query_error *err);
/* Claims are evaluated on medians (pass -1) and on each pass, from 0: med, lo and hi then give value `pass` of their
 * key (NULL where that pass failed or there are fewer), noise its fraction of that value. Keys without values per
 * pass give their statistics at any pass. store_bind goes back to -1. */
void store_set_pass(struct store *s, int pass);
/* How many passes a key has on the bound machine, failed ones included; 0 when unmeasured or reported without them. */
ptrdiff_t store_key_passes(const struct store *s, struct str key);
/* A prepared query of our own with text parameters, for app/ and cli/: "?1".. are bound from `params`. No limits. */
bool store_rows(
	struct store *s, const char *sql, const struct str *params, int n_params, struct arena *a, struct grid *out);
bool store_exec(struct store *s, const char *sql, const struct str *params, int n_params);
/* Machine key and origin of a run by its 64 digits; false, with store_error, when it is not here. */
bool store_run_of(struct store *s, struct str id_hex, struct arena *a, struct str *machine, struct str *origin);
/* Canonical bytes of a run by hex id prefix (at least 7 digits). */
bool store_canon(
	struct store *s, struct str id_hex_prefix, struct arena *a, struct str *canon, struct str *full_id_hex);

/* A SQL function of one text for content, deterministic: a text, else a number (NaN: NULL), else an error that fails the query. Its
 * name must be one that store_query.c lets content call. `ctx` must outlive the store. */
struct store_answer {
	double num;
	struct str text, error;
};
bool store_add_answer(struct store *s, const char *name,
	struct store_answer (*call)(void *ctx, struct str arg, struct arena *scratch), void *ctx);

bool store_rebuild(struct store *s, struct arena scratch); /* cells and facts from canon, nothing else */
/* Integrity, ids, cells against canon: what is wrong is an error in `d`. False then, and when the database failed. */
bool store_verify(struct store *s, struct diag *d, struct arena scratch);

#endif
