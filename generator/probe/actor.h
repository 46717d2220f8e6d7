/* What an actor does once it is born. Private to stage.c. */
#ifndef RUNQ_PROBE_ACTOR_H
#define RUNQ_PROBE_ACTOR_H

#include "probe/stage.h"

/* In the child: takes its place, waits for the word, plays until it is killed. */
_Noreturn void actor_play(struct stage *st, struct actor *me, const struct probe_env *env, pid_t parent);

#endif
