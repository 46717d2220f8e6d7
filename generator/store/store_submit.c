/* Submissions: the lab's policy, decided inside the transaction; every try is kept with its outcome. */
#include "store/internal.h"

#include <string.h>

enum { GRACE_MS = 120 * 1000, STUDENT_BYTES_MAX = 64 };

bool store_put_lab(struct store *s, struct str lab, struct str probes, int64_t due_ms)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_LAB_PUT);

	if (!stmt)
		return false;
	store_bind_text(stmt, 1, lab);
	store_bind_text(stmt, 2, probes);
	if (due_ms != RUN_NULL)
		sqlite3_bind_int64(stmt, 3, due_ms);
	return store_run_stmt(s, stmt);
}

/* What is being decided. */
struct policy {
	struct str probes; /* of the lab */
	int64_t due_ms;
	bool known;
};

static bool lab_policy(struct store *s, struct str lab, struct arena *a, struct policy *p)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_LAB_GET);

	*p = (struct policy){.due_ms = RUN_NULL};
	if (!stmt)
		return false;
	store_bind_text(stmt, 1, lab);
	enum step step = store_step(s, stmt);
	if (step != STEP_ROW)
		return step == STEP_DONE;
	p->known = true;
	p->probes = str_copy(a, store_column(stmt, 0));
	if (sqlite3_column_type(stmt, 1) != SQLITE_NULL)
		p->due_ms = sqlite3_column_int64(stmt, 1);
	sqlite3_reset(stmt);
	return true;
}

static bool fits_name(struct str student)
{
	for (ptrdiff_t i = 0; i < student.len; i++)
		if ((unsigned char)student.ptr[i] <= ' ' || student.ptr[i] == 0x7f)
			return false;
	return student.len > 0 && student.len <= STUDENT_BYTES_MAX;
}

static bool unknown_lab(struct store *s, struct str lab, struct arena *a, struct str *reason)
{
	enum { LABS_MAX = 256 };
	struct str *names = ARENA_NEW(a, struct str, LABS_MAX);
	sqlite3_stmt *stmt = store_stmt(s, SQL_LAB_EACH);
	enum step step = STEP_FAILED;
	ptrdiff_t n = 0;

	while (stmt && (step = store_step(s, stmt)) == STEP_ROW)
		if (n < LABS_MAX)
			names[n++] = str_copy(a, store_column(stmt, 0));
	struct str near = str_nearest(lab, names, n);
	if (near.len)
		*reason = str_printf(a, "lab: no lab '%.*s'; did you mean '%.*s'?", STR_FMT(lab), STR_FMT(near));
	else
		*reason = str_printf(a, "lab: no lab '%.*s'; `ls content/labs` shows them", STR_FMT(lab));
	return step == STEP_DONE;
}

/* The lab's probes that the run has no table of. */
static bool lacking_probes(
	struct store *s, const unsigned char *id, struct str probes, struct arena *a, struct str *lacking)
{
	struct buf b = buf_new(a);

	while (probes.len) {
		struct str probe = str_cut(probes, ' ', &probes);
		sqlite3_stmt *stmt = probe.len ? store_stmt(s, SQL_RUN_HAS_PROBE) : NULL;
		if (!probe.len)
			continue;
		if (!stmt)
			return false;
		sqlite3_bind_blob(stmt, 1, id, SHA256_BYTES, SQLITE_TRANSIENT);
		store_bind_text(stmt, 2, probe);
		enum step step = store_step(s, stmt);
		if (step == STEP_FAILED)
			return false;
		if (step == STEP_ROW)
			sqlite3_reset(stmt);
		if (step == STEP_DONE) {
			if (b.len)
				buf_char(&b, ' ');
			buf_add(&b, probe);
		}
	}
	*lacking = buf_str(&b);
	return true;
}

static bool run_known(struct store *s, const unsigned char *id, bool *known)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_FIND);

	if (!stmt)
		return false;
	sqlite3_bind_blob(stmt, 1, id, SHA256_BYTES, SQLITE_TRANSIENT);
	enum step step = store_step(s, stmt);
	*known = step == STEP_ROW;
	if (*known)
		sqlite3_reset(stmt);
	return step != STEP_FAILED;
}

/* Sets *reason when the lab's policy refuses; false when the database failed. */
static bool judge(struct store *s, const struct store_submission *sub, const unsigned char *id, bool has_id,
	const struct policy *p, struct arena *a, struct str *reason)
{
	bool known = false;
	struct str lacking = {0};

	*reason = (struct str){0};
	if (!fits_name(sub->student)) {
		*reason = STR("student: 1 to 64 characters without blanks; give the pseudonym");
		return true;
	}
	if (!p->known)
		return unknown_lab(s, sub->lab, a, reason);
	if (has_id && !run_known(s, id, &known))
		return false;
	if (!known) {
		*reason = STR("run_id: this run is not in the database; import its file");
		return true;
	}
	if (!lacking_probes(s, id, p->probes, a, &lacking))
		return false;
	if (lacking.len)
		*reason = str_printf(a,
			"tables: no table of probe %.*s, which lab '%.*s' needs; run `runq-probe run %.*s -o FILE` and "
			"hand in that file",
			STR_FMT(lacking), STR_FMT(sub->lab), STR_FMT(p->probes));
	return true;
}

static bool put_attempt(struct store *s, const struct store_submission *sub, const unsigned char *id, bool has_id,
	const char *outcome, struct str reason)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_ATTEMPT_PUT);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, sub->t_ms);
	if (has_id)
		sqlite3_bind_blob(stmt, 2, id, SHA256_BYTES, SQLITE_TRANSIENT);
	store_bind_text(stmt, 3, sub->student);
	store_bind_text(stmt, 4, sub->lab);
	store_bind_text(stmt, 5, str_of(outcome));
	store_bind_text(stmt, 6, reason);
	return store_run_stmt(s, stmt);
}

static bool add_student(struct store *s, struct store_submission *sub)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_STUDENT_PUT);

	if (!stmt)
		return false;
	store_bind_text(stmt, 1, sub->student);
	sqlite3_bind_int64(stmt, 2, sub->t_ms);
	bool ok = store_run_stmt(s, stmt);
	sub->student_added = ok && sqlite3_changes(s->db) > 0;
	return ok;
}

static sqlite3_stmt *with_key(sqlite3_stmt *stmt, const struct store_submission *sub, const unsigned char *id)
{
	if (stmt) {
		sqlite3_bind_blob(stmt, 1, id, SHA256_BYTES, SQLITE_TRANSIENT);
		store_bind_text(stmt, 2, sub->student);
	}
	return stmt;
}

/* The same student, lab and run again: the original stands. */
static bool find_original(
	struct store *s, struct store_submission *sub, const unsigned char *id, int64_t *t_ms, bool *found)
{
	sqlite3_stmt *stmt = with_key(store_stmt(s, SQL_SUBMISSION_FIND), sub, id);

	if (!stmt)
		return false;
	store_bind_text(stmt, 3, sub->lab);
	enum step step = store_step(s, stmt);
	*found = step == STEP_ROW;
	if (*found) {
		*t_ms = sqlite3_column_int64(stmt, 0);
		sub->late = sqlite3_column_int(stmt, 1);
		sqlite3_reset(stmt);
	}
	return step != STEP_FAILED;
}

static bool put_accepted(struct store *s, struct store_submission *sub, const unsigned char *id, struct str answers)
{
	sqlite3_stmt *stmt = with_key(store_stmt(s, SQL_SUBMISSION_PUT), sub, id);

	if (!stmt)
		return false;
	store_bind_text(stmt, 3, sub->lab);
	store_bind_text(stmt, 4, answers.len ? answers : STR("{}"));
	sqlite3_bind_int64(stmt, 5, sub->t_ms);
	sqlite3_bind_int(stmt, 6, sub->late);
	if (!store_run_stmt(s, stmt))
		return false;
	/* The same measurement under two names: both stay, both are marked for the instructor. */
	stmt = with_key(store_stmt(s, SQL_SUBMISSION_SHARED), sub, id);
	enum step step = stmt ? store_step(s, stmt) : STEP_FAILED;
	if (step != STEP_ROW)
		return step == STEP_DONE;
	sqlite3_reset(stmt);
	stmt = store_stmt(s, SQL_SUBMISSION_FLAG);
	if (stmt)
		sqlite3_bind_blob(stmt, 1, id, SHA256_BYTES, SQLITE_TRANSIENT);
	return store_run_stmt(s, stmt);
}

static bool decide(
	struct store *s, struct store_submission *sub, struct str answers, bool *duplicate, struct arena scratch)
{
	unsigned char id[SHA256_BYTES] = {0};
	bool has_id = store_id_of_hex(sub->run_id_hex, id);
	int64_t original_ms = sub->t_ms;
	struct str reason = sub->reason;
	struct policy policy;

	*duplicate = sub->late = sub->student_added = false;
	if (!lab_policy(s, sub->lab, &scratch, &policy))
		return false;
	if (!reason.len && !judge(s, sub, id, has_id, &policy, &scratch, &reason))
		return false;
	if (reason.len) {
		snprintf(s->reason, sizeof s->reason, "%.*s", STR_FMT(reason));
		sub->reason = str_of(s->reason);
		return put_attempt(s, sub, id, has_id, "refused", sub->reason);
	}
	if (!add_student(s, sub) || !find_original(s, sub, id, &original_ms, duplicate) ||
		!put_attempt(s, sub, id, true, *duplicate ? "duplicate" : "accepted", reason))
		return false;
	sub->t_ms = original_ms;
	if (*duplicate)
		return true;
	sub->late = policy.due_ms != RUN_NULL && sub->t_ms - GRACE_MS >= policy.due_ms;
	return put_accepted(s, sub, id, answers);
}

enum store_result store_put_submission(struct store *s, struct store_submission *sub, struct str answers_json)
{
	bool duplicate = false;

	if (!store_enter(s))
		return s->result;
	bool ok = decide(s, sub, answers_json, &duplicate, s->scratch);
	if (!store_leave(s, ok))
		return s->result;
	return duplicate ? STORE_DUPLICATE : STORE_OK;
}
