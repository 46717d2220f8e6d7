/* Reads run files, validates them and puts them into the store. */
#include "app/import.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"

static struct str probes_of(struct arena *a, const struct run *r)
{
	struct buf b = buf_new(a);

	for (ptrdiff_t i = 0; i < r->n_tables; i++) {
		if (i)
			buf_char(&b, ' ');
		buf_add(&b, r->tables[i].probe);
	}
	return buf_str(&b);
}

struct import_file import_read(struct arena *a, struct diag *d, const char *path)
{
	struct import_file f = {.status = IMPORT_UNREADABLE};
	struct file_text file = file_read(a, path, RUN_BYTES_MAX);
	struct pos at = {.path = strcmp(path, "-") == 0 ? STR("standard input") : str_copy(d->arena, str_of(path))};

	if (file.err == EFBIG) {
		f.status = IMPORT_REFUSED;
		diag_error(d, at, "longer than %d KiB, the limit of a run file; give the file that runq-probe wrote",
			RUN_BYTES_MAX / 1024);
		return f;
	}
	if (file.err) {
		diag_error(d, at, "cannot be read: %s; check the path", strerror(file.err));
		return f;
	}
	f.result = run_validate(a, file.text);
	if (f.result.error.code || !f.result.run) {
		const struct run_error *e = &f.result.error;
		at.line = e->line;
		at.col = e->col;
		diag_error(d, at, "%.*s%s%.*s", STR_FMT(e->field), e->field.len ? ": " : "", STR_FMT(e->what));
		f.status = IMPORT_REFUSED;
		return f;
	}
	char *hex = ARENA_NEW(a, char, SHA256_HEX);
	sha256_hex(f.result.id, SHA256_BYTES, hex);
	f.id_hex = (struct str){hex, SHA256_HEX};
	f.probes = probes_of(a, f.result.run);
	f.status = IMPORT_ADDED;
	return f;
}

/* Compares folders by what they are, not by how they are spelled: walks up from the file's folder. */
static bool lies_below(const char *path, const char *root, const char *folder, struct arena scratch)
{
	struct stat wanted, at, above;
	const char *slash = strrchr(path, '/');
	struct buf dir = buf_new(&scratch);

	if (stat(str_z(&scratch, str_printf(&scratch, "%s/%s", root, folder)), &wanted) != 0)
		return false;
	buf_printf(&dir, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
	if (stat(str_z(&scratch, buf_str(&dir)), &at) != 0)
		return false;
	while (at.st_ino != wanted.st_ino || at.st_dev != wanted.st_dev) {
		buf_add(&dir, STR("/.."));
		if (stat(str_z(&scratch, buf_str(&dir)), &above) != 0 ||
			(above.st_ino == at.st_ino && above.st_dev == at.st_dev))
			return false;
		at = above;
	}
	return true;
}

const char *import_origin_of(const char *root, const char *path, struct arena scratch)
{
	if (strcmp(path, "-") == 0)
		return "imported";
	if (lies_below(path, root, "data/local", scratch))
		return "local";
	return lies_below(path, root, "data/runs", scratch) ? "committed" : "imported";
}

static enum import_status put_run(struct store *s, struct import_file *f, const char *origin, struct arena *a)
{
	bool local = strcmp(origin, "local") == 0;

	if (!store_begin(s))
		return IMPORT_FAILED;
	enum store_result r = store_put_run(s, &f->result, origin, *a);
	bool ok = r == STORE_OK || r == STORE_DUPLICATE;
	struct str now;
	/* The store decides: keys of machines that would collide are longer there. */
	ok = ok && store_run_of(s, f->id_hex, a, &f->machine, &now) &&
	     (!local || store_set_local_machine(s, f->machine));
	if (!ok || !store_commit(s)) {
		store_rollback(s);
		return IMPORT_FAILED;
	}
	return r == STORE_OK ? IMPORT_ADDED : IMPORT_ALREADY;
}

struct import_outcome import_run(struct store *s, struct arena *a, struct diag *d, const char *path, const char *origin)
{
	struct import_file f = import_read(a, d, path);
	struct import_outcome o = {.status = f.status, .id_hex = f.id_hex, .probes = f.probes};

	if (f.status != IMPORT_ADDED)
		return o;
	o.flags = f.result.flags;
	o.status = put_run(s, &f, origin, a);
	o.machine = f.machine;
	return o;
}

struct file_list import_folder(struct arena *a, const char *folder)
{
	struct file_list all = file_list(a, folder);
	struct file_list runs = {.names = ARENA_NEW(a, struct str, all.n), .err = all.err};

	for (ptrdiff_t i = 0; i < all.n; i++)
		if (all.names[i].ptr[0] != '.' && str_ends(all.names[i], STR(".json")))
			runs.names[runs.n++] = str_printf(a, "%s/%.*s", folder, STR_FMT(all.names[i]));
	return runs;
}
