/* A small process that outlives a killed probe and clears up behind it. It is forked before anything is changed; from
 * then on every change is told to it first. It kills what is left, by pid, and removes our cgroups; it never gives a
 * process another policy, for a change of policy is what unsettles a kernel's books (deadline reservations above all).
 * The end of a step that went well takes the same way: there is one way to clear up, and it is always used. */
#ifndef RUNQ_PROBE_GUARD_H
#define RUNQ_PROBE_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

enum { GUARD_GROUPS_MAX = 8, GUARD_PIDS_MAX = 64, GUARD_PATH_MAX = 512 };

struct guard_board; /* what it knows; shared memory */
struct guard {
	struct guard_board *board;
	pid_t pid;
	int fd; /* closing it tells the guard that we are done */
};

bool guard_open(struct guard *g); /* false leaves errno */
/* Before the folder is made. False: no room on the board. */
bool guard_group(struct guard *g, const char *path);
/* Before a controller is switched on for the children of the group whose cgroup.subtree_control this is. */
bool guard_subtree(struct guard *g, const char *path);
/* A child of this session; it dies with us anyway, unless something keeps it from its last steps. */
bool guard_pid(struct guard *g, pid_t pid);
void guard_forget_pids(struct guard *g); /* they are collected: their numbers may belong to others soon */
/* Clears up and waits until that is done. A closed guard is fine. */
void guard_close(struct guard *g);

#endif
