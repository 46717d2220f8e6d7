/* The processes of a recorded scenario from outside: their groups, their start, their end. */
#ifndef RUNQ_PROBE_TRACE_CAST_H
#define RUNQ_PROBE_TRACE_CAST_H

#include "probe/trace_fs.h"
#include "probe/trace_stage.h"

struct direction {
	struct probe_step *step;
	const struct sim_scenario *sc;
	struct trace_stage *st;
	struct trace_fs fs;
	struct guard guard;
	struct groups groups;
	int group_of[SIM_GROUPS_MAX]; /* of `groups`; -1: a session */
	bool grouped;
	pid_t leaders[SIM_GROUPS_MAX]; /* of sessions */
	pid_t watchdog;
};

bool cast_groups(struct direction *d); /* makes them; false: told in the step */
bool cast_players(struct direction *d); /* until each is in its place; false: told in the step */
void cast_dismiss(struct direction *d); /* all of them, whatever they do */

#endif
