/* accept_run: checks a run against its lab's policy, then files it; what is refused is kept as an attempt. */
#include "app/submit.h"

#include <string.h>

#include "base/buf.h"

bool submit_student_ok(struct str student)
{
	if (student.len < 1 || student.len > 64)
		return false;
	for (ptrdiff_t i = 0; i < student.len; i++) {
		char c = student.ptr[i];
		bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!word && c != '.' && c != '_' && c != '-')
			return false;
	}
	return true;
}

/* "usable" also when only some cases are: a case that this machine cannot run is no fault of the student's. */
static bool table_usable(const struct run_table *t)
{
	for (ptrdiff_t i = 0; i < t->n_cases; i++)
		if (run_status_usable(t->cases[i].status) && t->cases[i].n_metrics)
			return true;
	return false;
}

/* Why the run does not answer the lab; empty when it does. */
static struct str lacking(struct arena *a, const struct run *run, const struct lab *lab)
{
	struct str rest = lab->probes;

	while (rest.len) {
		struct str probe = str_cut(rest, ' ', &rest);
		ptrdiff_t at = -1;
		for (ptrdiff_t i = 0; probe.len && i < run->n_tables; i++)
			if (str_eq(run->tables[i].probe, probe))
				at = i;
		if (probe.len && at < 0)
			return str_printf(a,
				"tables: no table of probe '%.*s', which lab '%.*s' needs; run `runq-probe run %.*s -o "
				"FILE` and hand in that file",
				STR_FMT(probe), STR_FMT(lab->slug), STR_FMT(lab->probes));
		if (at >= 0 && !table_usable(&run->tables[at]))
			return str_printf(a,
				"tables[%td]: no case of probe '%.*s' could run; do what the cases' \"try\" says and "
				"measure again",
				at, STR_FMT(probe));
	}
	return (struct str){0};
}

static struct str unknown_lab(struct arena *a, const struct labs *labs, struct str lab)
{
	struct str near = labs_nearest(labs, lab, *a);

	if (near.len)
		return str_printf(a, "lab: no lab '%.*s'; did you mean '%.*s'?", STR_FMT(lab), STR_FMT(near));
	struct str all = labs_names(labs, a);
	return str_printf(a, "lab: no lab '%.*s'; the labs are: %.*s", STR_FMT(lab), STR_FMT(all));
}

static bool put(struct store *s, const struct import_file *f, const struct lab *lab, struct submit_outcome *o,
	struct arena scratch)
{
	bool refused = o->receipt.reason.len;
	enum store_result r = STORE_OK;

	if (!store_begin(s))
		return false;
	bool ok = !lab || store_put_lab(s, lab->slug, lab->probes, RUN_NULL);
	if (ok && !refused) {
		r = store_put_run(s, &f->result, "submitted", scratch);
		ok = r == STORE_OK || r == STORE_DUPLICATE;
	}
	if (ok) {
		r = store_put_submission(s, &o->receipt, (struct str){0});
		ok = r == STORE_OK || r == STORE_DUPLICATE;
	}
	if (!ok || !store_commit(s)) {
		store_rollback(s);
		return false;
	}
	o->status = refused ? IMPORT_REFUSED : r == STORE_DUPLICATE ? IMPORT_ALREADY : IMPORT_ADDED;
	return true;
}

struct submit_outcome submit_accept(struct store *s, struct arena *a, struct diag *d, const struct labs *labs,
	const char *path, struct str student, struct str lab_name, int64_t now_ms)
{
	int before = d->errors;
	struct import_file f = import_read(a, d, path);
	const struct lab *lab = labs_find(labs, lab_name);
	struct submit_outcome o = {.status = f.status};

	if (f.status == IMPORT_UNREADABLE)
		return o;
	o.receipt =
		(struct store_submission){.run_id_hex = f.id_hex, .student = student, .lab = lab_name, .t_ms = now_ms};
	if (f.status == IMPORT_REFUSED)
		o.receipt.reason = d->errors > before ? d->items->text : STR("not a run record");
	else if (!lab)
		o.receipt.reason = unknown_lab(a, labs, lab_name);
	else
		o.receipt.reason = lacking(a, f.result.run, lab);
	if (o.receipt.reason.len && f.status != IMPORT_REFUSED)
		diag_error(
			d, (struct pos){.path = str_copy(d->arena, str_of(path))}, "%.*s", STR_FMT(o.receipt.reason));
	if (!put(s, &f, lab, &o, *a))
		o.status = IMPORT_FAILED;
	return o;
}
