/* Anchors: NFC, lower case, punctuation dropped except - and _, spaces to -, empty to "section", then -1, -2 … until unique
 * in the table. Slugs live in the arena. */
#ifndef RUNQ_TEXT_SLUG_H
#define RUNQ_TEXT_SLUG_H

#include "base/strmap.h"

struct slug_table {
	struct arena *arena;
	struct str_map taken;
};

struct str slug_make(struct slug_table *t, struct str text);
bool slug_take(struct slug_table *t, struct str slug);	/* false if it was taken */

#endif
