/* Comma-separated values and the figures in them: any bytes end in an answer; what is accepted is a whole table whose numbers print
 * and whose keys are known; what is refused says where. */
#include <math.h>
#include <stdlib.h>

#include "model/reference.h"
#include "text/csv.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void check_number(struct arena *a, struct reference_number v, enum run_unit unit)
{
	check(v.given == !isnan(reference_natural(v, unit)));
	check(v.given == (reference_text(a, v, unit).len > 0));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct arena_block block;
	static struct arena all;
	struct str text = {(const char *)data, (ptrdiff_t)size};

	if (size > 8192)
		return 0;
	if (!all.at)
		all = arena_new(&block, (ptrdiff_t)1 << 26);
	struct arena a = all;
	struct diag d = diag_new(&a);
	struct csv t = csv_parse(&a, &d, (struct pos){STR("f"), 1, 1}, text);
	check(t.ok == (d.errors == 0));
	check(!t.ok || (t.rows > 0 && t.cols > 0));
	for (ptrdiff_t i = 0; i < t.rows * t.cols; i++)
		check(t.cells[i].at.line >= 1 && t.cells[i].at.col >= 1);
	d = diag_new(&a);
	struct reference r = reference_read(&a, &d, (struct pos){STR("f"), 1, 1}, text);
	check(r.ok == (d.errors == 0));
	for (ptrdiff_t i = 0; r.ok && i < r.n_rows; i++) {
		check_number(&a, r.rows[i].min, r.rows[i].unit);
		check_number(&a, r.rows[i].median, r.rows[i].unit);
		check_number(&a, r.rows[i].max, r.rows[i].unit);
		check(!r.rows[i].key.len || probe_key_parse(r.rows[i].key).ok);
	}
	return 0;
}
