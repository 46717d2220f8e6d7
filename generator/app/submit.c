/* accept_run: checks a run against its lab's policy, then files it; what is refused is kept as an attempt. */
#include "app/submit.h"

#include <string.h>

#include "base/buf.h"

bool submit_student_ok(struct str student)
{
	/* A name that begins with a sign is an option, a formula or a folder to other programs. */
	if (student.len < 1 || student.len > 64 || str_find_char(STR("._-"), student.ptr[0]) >= 0)
		return false;
	for (ptrdiff_t i = 0; i < student.len; i++) {
		char c = student.ptr[i];
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!word && c != '.' && c != '_' && c != '-')
			return false;
	}
	return true;
}

/* A table counts also when only some cases are usable: what this machine cannot run is no fault of the student's. */
static bool table_usable(const struct run_table *t)
{
	for (ptrdiff_t i = 0; i < t->n_cases; i++)
		if (run_status_usable(t->cases[i].status) && t->cases[i].n_metrics)
			return true;
	return false;
}

/* Why a run that has the lab's tables does not answer it; empty when it does. */
static struct str unusable(struct arena *a, const struct run *run, const struct lab *lab)
{
	struct str rest = lab->probes;

	while (rest.len) {
		struct str probe = str_cut(rest, ' ', &rest);
		for (ptrdiff_t i = 0; i < run->n_tables; i++)
			if (str_eq(run->tables[i].probe, probe) && !table_usable(&run->tables[i]))
				return str_printf(a,
					"tables[%td]: no case of probe '%.*s' could run; do what the cases' \"try\" "
					"says and "
					"measure again",
					i, STR_FMT(probe));
	}
	return (struct str){0};
}

/* The labs that can be handed in are those of the content; when they are due is the instructor's and stays. */
static bool put_labs(struct store *s, const struct labs *labs, struct arena scratch)
{
	for (ptrdiff_t i = 0; i < labs->n; i++) {
		struct arena a = scratch;
		struct grid g = {0};
		int64_t due_ms = RUN_NULL;
		if (!store_rows(s, "SELECT due_ms FROM lab WHERE slug = ?1", &labs->items[i].slug, 1, &a, &g))
			return false;
		if (g.rows && g.text[0].ptr && !str_int(g.text[0], &due_ms))
			due_ms = RUN_NULL;
		if (!store_put_lab(s, labs->items[i].slug, labs->items[i].probes, due_ms))
			return false;
	}
	return true;
}

static enum store_result put_once(struct store *s, const struct import_file *f, const struct labs *labs,
	struct store_submission *sub, struct arena scratch)
{
	enum store_result r = STORE_ERROR;

	if (!store_begin(s))
		return r;
	bool ok = put_labs(s, labs, scratch);
	if (ok && !sub->reason.len) {
		r = store_put_run(s, &f->result, "submitted", scratch);
		ok = r == STORE_OK || r == STORE_DUPLICATE;
	}
	r = ok ? store_put_submission(s, sub, (struct str){0}) : r;
	return r;
}

/* The store decides by the lab's policy, inside the transaction. A run that it refuses is not kept, the attempt is. */
static bool put(struct store *s, struct arena *a, const struct import_file *f, const struct labs *labs,
	struct submit_outcome *o)
{
	struct store_submission *sub = &o->receipt, asked = *sub;
	enum store_result r = put_once(s, f, labs, sub, *a);

	if ((r == STORE_OK || r == STORE_DUPLICATE) && sub->reason.len && !asked.reason.len) {
		asked.reason = str_copy(a, sub->reason);
		*sub = asked;
		store_rollback(s);
		r = put_once(s, f, labs, sub, *a);
		sub->reason = asked.reason;
	}
	if ((r != STORE_OK && r != STORE_DUPLICATE) || !store_commit(s)) {
		store_rollback(s);
		return false;
	}
	o->status = sub->reason.len ? IMPORT_REFUSED : r == STORE_DUPLICATE ? IMPORT_ALREADY : IMPORT_ADDED;
	return true;
}

struct submit_outcome submit_accept(struct store *s, struct arena *a, struct diag *d, const struct labs *labs,
	const char *path, struct str student, struct str lab_name, int64_t now_ms)
{
	int errors = d->errors;
	struct import_file f = import_read(a, d, path);
	const struct lab *lab = labs_find(labs, lab_name);
	struct submit_outcome o = {.status = f.status};

	if (f.status == IMPORT_UNREADABLE)
		return o;
	o.receipt =
		(struct store_submission){.run_id_hex = f.id_hex, .student = student, .lab = lab_name, .t_ms = now_ms};
	if (f.status == IMPORT_REFUSED)
		o.receipt.reason = d->errors > errors ? d->items->text : STR("not a run record");
	else if (lab)
		o.receipt.reason = unusable(a, f.result.run, lab);
	if (!put(s, a, &f, labs, &o))
		o.status = IMPORT_FAILED;
	if (o.status == IMPORT_REFUSED && d->errors == errors)
		diag_error(
			d, (struct pos){.path = str_copy(d->arena, str_of(path))}, "%.*s", STR_FMT(o.receipt.reason));
	return o;
}
