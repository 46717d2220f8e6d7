/* The kernel's trace of switches and wake-ups, through an instance of our own below tracefs: nobody else's settings are touched,
 * and the guard removes it. Where tracefs is not mounted it is mounted in a mount namespace of this process, which ends with it. */
#ifndef RUNQ_PROBE_TRACE_FS_H
#define RUNQ_PROBE_TRACE_FS_H

#include "probe/guard.h"
#include "probe/harness.h"
#include "probe/trace_page.h"

enum { TRACE_PATH_MAX = 256 };

struct trace_fs {
	char root[64]; /* where tracefs is */
	char dir[TRACE_PATH_MAX]; /* our instance; empty until it is made */
	struct trace_layout layout;
};

/* Finds or mounts tracefs. Before the guard is opened, which must see the same mounts. False: told in the step. */
bool trace_fs_find(struct probe_step *s, struct trace_fs *fs);
/* Makes the instance, for these CPUs and with room for `kib` of events on each, and enables the events; it does not record yet. */
bool trace_fs_make(struct probe_step *s, struct trace_fs *fs, struct guard *guard, const int *cpus, int n, int kib);
bool trace_fs_switch(struct trace_fs *fs, bool on);
/* Everything recorded on this CPU, oldest first; how many events were lost there, -1 with errno if it cannot be read. */
int64_t trace_fs_read(struct trace_fs *fs, int cpu, void (*take)(void *ctx, const struct trace_raw *raw), void *ctx);

#endif
