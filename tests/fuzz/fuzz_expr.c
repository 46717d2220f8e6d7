/* Claim expressions: any bytes end in an answer; what is accepted has its keys inside the text, sane bounds, errors
 * exactly when it is refused, and every key is found again by the scanner of SQL. */
#include <math.h>
#include <stdlib.h>

#include "model/expr.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static _Alignas(16) unsigned char room[1 << 20];
	struct str text = {(const char *)data, (ptrdiff_t)size};

	if (size > 4096)
		return 0;
	for (int formatters = 0; formatters < 2; formatters++) {
		struct arena a = arena_over(room, sizeof room);
		struct diag d = diag_new(&a);
		struct expr e = expr_parse(&a, &d, (struct pos){STR("f"), 1, 1}, text, formatters);

		check(e.ok == !d.errors);
		check(isnan(e.lo) == isnan(e.hi) && (isnan(e.lo) || e.lo <= e.hi || !e.ok));
		for (const struct diag_item *i = d.items; i; i = i->next)
			check(i->at.line >= 1 && i->at.col >= 1 && i->text.len > 0);
		for (ptrdiff_t i = 0; i < e.n_keys; i++)
			check(e.keys[i].key.ptr >= text.ptr &&
				e.keys[i].key.ptr + e.keys[i].key.len <= text.ptr + text.len);
		struct expr scanned = expr_keys_in_sql(&a, &d, (struct pos){STR("f"), 1, 1}, text);
		check(!e.ok || scanned.n_keys == e.n_keys);
	}
	return 0;
}
