/* Inside kernel-check.html. */
#ifndef RUNQ_APP_KERNEL_CHECK_H
#define RUNQ_APP_KERNEL_CHECK_H

#include "app/build.h"
#include "app/compare_kernel.h"
#include "base/file.h"

struct check_scenario {
	struct str name, path, text, says; /* says: its first comment */
	struct sim_scenario sc;
};

/* The page; any machine may be bound. A course without content/scenarios has none. */
void page_kernel_check(struct build *b, struct arena *a);

bool check_there(struct build *b); /* is there such a page? */
/* Has this machine recordings in data/traces? */
bool check_has_traces(struct build *b, const struct machine *m);
struct file_text check_file(struct build *b, struct str path, struct arena *a); /* below the course's root */
/* Is `text` that scenario, but for comments and spelling? */
bool check_same(const struct sim_scenario *sc, struct str text, struct arena scratch);
/* The first moments as simulated and, where a trace with its events is there, as recorded: a timeline with its alt text; `o` gets the recording's file as "trace".
 * Empty when there is nothing to draw. */
struct html check_strip(
	struct view *v, const struct check_scenario *s, const struct machine *m, const struct kernel_prediction *p, struct tobj *o);
/* Gives a recording to the site, part of whose file's name is `part`, and returns its path there. */
struct str check_publish(struct build *b, const struct machine *m, const struct check_scenario *s, struct str part, struct str bytes);

#endif
