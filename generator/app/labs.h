/* The labs of content/labs/, as far as handing in needs them: slug and the probes a submission must hold. Everything lives
 * in the arena. */
#ifndef RUNQ_APP_LABS_H
#define RUNQ_APP_LABS_H

#include "text/head.h"

struct lab {
	struct str slug, probes; /* probes: separated by spaces */
};
struct labs {
	struct lab *items;
	ptrdiff_t n;
};

/* Sorted by slug. A folder that cannot be read or a broken head is an error in `d`. */
struct labs labs_read(struct arena *a, struct diag *d, const char *root);
const struct lab *labs_find(const struct labs *labs, struct str slug); /* NULL if there is none */

#endif
