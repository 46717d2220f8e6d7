/* What a build does first: the database catches up with the files of data/. */
#include "app/import.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "store/reference.h"
#include "text/head.h"

enum { LABEL_BYTES_MAX = 64 * 1024 };

static const struct head_key label_keys[] = {
	{.name = "key", .required = true},
	{.name = "label", .required = true},
	{.name = "kind"},
	{.name = "public"},
	{.name = "cpu"},
	{.name = "system"},
	{.name = "runtime"},
	{.name = "remark"},
	{0},
};

static bool yes_or_no(struct diag *d, const struct head_field *f, bool *out)
{
	*out = f && str_eq(f->value, STR("yes"));
	if (!f || *out || str_eq(f->value, STR("no")))
		return true;
	diag_error(d, f->value_at, "public is '%.*s'; write yes or no", STR_FMT(f->value));
	return false;
}

static bool is_kind(struct diag *d, const struct head_field *f)
{
	if (!f || str_eq(f->value, STR("measured")) || str_eq(f->value, STR("emulated")) || str_eq(f->value, STR("reported")))
		return true;
	diag_error(d, f->value_at, "kind is '%.*s'; write measured, emulated or reported", STR_FMT(f->value));
	return false;
}

/* What no run tells of a machine that was not measured here: the label file does. */
static bool put_known(struct store *s, struct diag *d, const struct head *h)
{
	static const char *const keys[] = {"cpu", "system", "runtime", "remark"};
	struct str names[sizeof keys / sizeof *keys], values[sizeof keys / sizeof *keys];
	ptrdiff_t n = 0;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct head_field *f = head_get(h, keys[i]);
		if (f && !str_eq(head_value(h, "kind"), STR("reported"))) {
			diag_error(d, f->key_at, "`%s` is for machines of kind reported; a measured one has the facts of its runs", keys[i]);
			return true;
		}
		if (!f)
			continue;
		names[n] = str_of(keys[i]);
		values[n++] = f->value;
	}
	return store_put_known(s, head_value(h, "key"), names, values, n);
}

static bool put_label(struct store *s, const char *root, struct diag *d, struct str path, struct arena scratch)
{
	struct file_text file = file_read_inside(&scratch, root, str_z(&scratch, path), LABEL_BYTES_MAX);
	struct pos at = {str_copy(d->arena, path), 1, 1};
	bool is_public = false;

	if (file.err) {
		diag_error(d, (struct pos){.path = at.path}, "cannot be read: %s; check the file", file_error(file.err));
		return true;
	}
	if (!head_text_ok(d, at, file.text))
		return true;
	struct head h = head_parse(&scratch, d, at, file.text, false);
	bool complete = head_check(d, &h, at, "machine label", label_keys);
	if (!yes_or_no(d, head_get(&h, "public"), &is_public) || !is_kind(d, head_get(&h, "kind")) || !h.ok || !complete)
		return true;
	struct str kind = head_value(&h, "kind");
	return store_put_label(s, head_value(&h, "key"), head_value(&h, "label"), is_public,
		       kind.len ? kind : STR("measured")) &&
	       put_known(s, d, &h);
}

/* A folder that is not there holds nothing; what one holds that cannot be read would be missing from the site. */
static void check_list(struct diag *d, const struct file_list *files, struct str folder)
{
	if (files->err && files->err != ENOENT)
		diag_error(d, (struct pos){.path = str_copy(d->arena, folder)}, "cannot be read: %s; check the folder",
			strerror(files->err));
}

static bool put_labels(struct store *s, const char *root, struct diag *d, struct arena scratch)
{
	const char *folder = file_in(&scratch, root, STR("data/machines"));
	struct file_list files = file_list(&scratch, folder);

	check_list(d, &files, str_of(folder));
	for (ptrdiff_t i = 0; i < files.n; i++)
		if (str_ends(files.names[i], STR(".txt")) &&
			!put_label(s, root, d, str_printf(&scratch, "%s/%.*s", folder, STR_FMT(files.names[i])), scratch))
			return false;
	return true;
}

static bool is_local(struct store *s, struct str id_hex, struct arena scratch)
{
	struct str machine, origin;

	return store_run_of(s, id_hex, &scratch, &machine, &origin) && str_eq(origin, STR("local"));
}

/* Runs of one folder. When some became local, the newest of those makes its machine the local one. */
static bool put_runs(
	struct store *s, const char *root, const char *sub, const char *origin, struct diag *d, struct arena scratch)
{
	struct str folder = str_of(file_in(&scratch, root, str_of(sub)));
	struct file_list files = import_folder(&scratch, str_z(&scratch, folder));
	char newest[SHA256_HEX];
	bool local = strcmp(origin, "local") == 0;
	int64_t newest_ms = INT64_MIN;
	struct str machine, now;

	check_list(d, &files, folder);
	for (ptrdiff_t i = 0; i < files.n; i++) {
		struct arena a = scratch;
		struct import_file f = import_read(&a, d, str_z(&a, files.names[i]));
		if (f.status != IMPORT_ADDED)
			continue;
		bool known = local && is_local(s, f.id_hex, a);
		enum store_result r = store_put_run(s, &f.result, origin, a);
		if (r != STORE_OK && r != STORE_DUPLICATE)
			return false;
		if (local && !known && f.result.run->created_utc_ms > newest_ms) {
			newest_ms = f.result.run->created_utc_ms;
			memcpy(newest, f.id_hex.ptr, sizeof newest);
		}
	}
	if (newest_ms == INT64_MIN)
		return true;
	return store_run_of(s, (struct str){newest, sizeof newest}, &scratch, &machine, &now) &&
	       store_set_local_machine(s, machine);
}

/* One file of data/reference; its bytes go to the list of those that are kept. False when the store failed. */
static bool put_reference(struct store *s, const char *root, struct diag *d, struct str path, struct str *bytes, struct arena *a)
{
	struct file_text file = file_read_inside(a, root, str_z(a, path), REFERENCE_BYTES_MAX);
	struct pos at = {str_copy(d->arena, path), 1, 1};

	*bytes = file.text;
	if (file.err) {
		diag_error(d, (struct pos){.path = at.path}, "cannot be read: %s; check the file", file_error(file.err));
		return true;
	}
	struct reference r = reference_read(a, d, at, file.text);
	if (!r.ok)
		return true;
	enum store_result result = store_put_reference(s, &r, file.text, *a);
	return result == STORE_OK || result == STORE_DUPLICATE;
}

/* The folder is all there is: an import whose file was changed or removed goes. A file with an error keeps what was there. */
static bool put_references(struct store *s, const char *root, struct diag *d, struct arena scratch)
{
	const char *folder = file_in(&scratch, root, STR("data/reference"));
	struct file_list files = file_list(&scratch, folder);
	struct str *bytes = ARENA_NEW(&scratch, struct str, files.n);
	int errors = d->errors;
	ptrdiff_t n = 0;

	check_list(d, &files, str_of(folder));
	for (ptrdiff_t i = 0; i < files.n; i++)
		if (str_ends(files.names[i], STR(".csv")) &&
			!put_reference(s, root, d, str_printf(&scratch, "%s/%.*s", folder, STR_FMT(files.names[i])), &bytes[n++], &scratch))
			return false;
	return d->errors > errors || store_keep_references(s, bytes, n, scratch);
}

bool import_missing(struct store *s, const char *root, struct diag *d)
{
	struct arena_block block;
	struct arena scratch = arena_new(&block, (ptrdiff_t)1 << 28);
	bool ok = store_begin(s);

	ok = ok && put_runs(s, root, "data/runs", "committed", d, scratch);
	ok = ok && put_runs(s, root, "data/local", "local", d, scratch);
	ok = ok && put_references(s, root, d, scratch);
	ok = ok && put_labels(s, root, d, scratch);
	ok = ok && store_commit(s);
	if (!ok)
		store_rollback(s);
	arena_free(&block);
	return ok;
}
