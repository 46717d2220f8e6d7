/* Reads the heads of content/labs/. */
#include "app/labs.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"

enum { LAB_BYTES_MAX = 1 << 20 };

struct labs labs_read(struct arena *a, struct diag *d, const char *root)
{
	struct str folder = str_of(file_in(a, root, STR("content/labs")));
	struct file_list files = file_list(a, str_z(a, folder));
	struct labs labs = {.items = ARENA_NEW(a, struct lab, files.n)};

	if (files.err)
		diag_error(d, (struct pos){.path = folder}, "cannot be read: %s; check -C DIR", strerror(files.err));
	for (ptrdiff_t i = 0; i < files.n; i++) {
		struct str name = files.names[i];
		if (!str_ends(name, STR(".md")) || name.ptr[0] == '.')
			continue;
		struct pos at = {str_printf(a, "%.*s/%.*s", STR_FMT(folder), STR_FMT(name)), 1, 1};
		struct file_text file = file_read_inside(a, root, str_z(a, at.path), LAB_BYTES_MAX);
		if (file.err) {
			diag_error(d, (struct pos){.path = at.path}, "cannot be read: %s; check the file",
				file_error(file.err));
			continue;
		}
		struct head h = head_parse(a, d, at, file.text, true);
		labs.items[labs.n++] = (struct lab){str_slice(name, 0, name.len - 3), head_value(&h, "probes")};
	}
	return labs;
}

const struct lab *labs_find(const struct labs *labs, struct str slug)
{
	for (ptrdiff_t i = 0; i < labs->n; i++)
		if (str_eq(labs->items[i].slug, slug))
			return &labs->items[i];
	return NULL;
}
