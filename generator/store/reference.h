/* What others reported, in the store. A file of data/reference is a run of origin `reported` whose canon is the file's bytes; its rows
 * with a key are cells of a machine of kind `reported`, never pooled with measured ones; constants are the view kernel_constant. */
#ifndef RUNQ_STORE_REFERENCE_H
#define RUNQ_STORE_REFERENCE_H

#include "model/reference.h"
#include "store/store.h"

/* The file's bytes and what reference_read made of them. DUPLICATE adds nothing. An older import of the same source and machine is
 * replaced: of reported figures only the newest are kept. The machine gets a row if it has none; one that was measured here is an error. */
enum store_result store_put_reference(struct store *s, const struct reference *r, struct str bytes, struct arena scratch);
/* Forgets the imports whose bytes are not among these: the folder is all there is. */
bool store_keep_references(struct store *s, const struct str *bytes, ptrdiff_t n, struct arena scratch);
/* What a label file says of a reported machine ("cpu", "Apple M4"): facts, in place of those of the same names. */
bool store_put_known(struct store *s, struct str machine, const struct str *names, const struct str *values, ptrdiff_t n);

struct store_reference {
	int64_t run; /* rowid, as in struct store_note */
	struct reference reference;
};
/* All of them, by source and machine. */
bool store_references(struct store *s, struct arena *a, struct store_reference **out, ptrdiff_t *n);

#endif
