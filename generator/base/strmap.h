/* A map from texts to numbers that grows in the arena passed; the texts are the caller's and must outlive it. A zeroed
 * struct is an empty map. For arenas that exit when they are full. */
#ifndef RUNQ_BASE_STRMAP_H
#define RUNQ_BASE_STRMAP_H

#include "base/str.h"

struct str_map_slot {
	struct str name; /* ptr NULL: free */
	ptrdiff_t value;
};
struct str_map {
	struct str_map_slot *slots; /* open addressing; `size` is a power of two, or 0 */
	ptrdiff_t n, size;
};

/* False, and nothing changes, when the name is there already. `value` must not be negative. */
bool str_map_put(struct str_map *m, struct arena *a, struct str name, ptrdiff_t value);
ptrdiff_t str_map_get(const struct str_map *m, struct str name); /* -1 when absent */

#endif
