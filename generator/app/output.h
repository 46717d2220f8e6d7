/* The files a build makes: kept in memory until all are made, checked against each other, then written at once.
 * Paths and bytes live in the arena of the set. */
#ifndef RUNQ_APP_OUTPUT_H
#define RUNQ_APP_OUTPUT_H

#include "base/diag.h"
#include "base/strmap.h"

struct output {
	struct str path;	/* relative to the output folder, "/" separated, no ".." */
	struct str bytes;
	struct str from;	/* the source that made it, for collisions */
};

/* A link an author wrote, with the URL it became in page `page`. */
struct output_link {
	struct str page, url, written;
	struct pos at;
};

struct outputs {
	struct arena *arena;
	struct output *items;
	ptrdiff_t n, cap;
	struct str_map by_path;	/* indexes of items */
	struct output_link *links;
	ptrdiff_t n_links, cap_links;
};

/* Two sources of one path are an error naming both, and false. */
bool outputs_add(struct outputs *o, struct diag *d, struct str path, struct str bytes, struct str from);
void outputs_link(struct outputs *o, struct output_link link);

/* Every href and src of every page leads to a file of the set and an id in it; ids are unique in their page. A broken link an
 * author wrote is reported where it was written, any other at the page. */
void outputs_check(const struct outputs *o, struct diag *d, struct arena scratch);

/* Whether `folder` may be written: absent, empty but for dot files, or marked by an earlier build. */
bool outputs_may_write(const char *folder, struct diag *d, struct arena scratch);

struct outputs_result {
	int wrote, same, removed;
	bool ok;
};
/* Writes what differs, removes what an earlier build made and this one does not, keeps the list of what it owns in
 * `.runq-site`. */
struct outputs_result outputs_write(const struct outputs *o, const char *folder, struct diag *d, struct arena scratch);

#endif
