/* Spinning processes of one step that record when they did not run: the gaps in a thread's own clock are what it waited,
 * whatever the counters say. Each ends by itself at a time set before it starts, whoever else has died. */
#ifndef RUNQ_PROBE_HOGS_H
#define RUNQ_PROBE_HOGS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "probe/groups.h"

enum { HOGS_MAX = 32, HOG_GAPS_MAX = 400, HOG_ANY_CPU = -1, HOG_NO_GROUP = -1 };

struct hog_plan {
	int cpu, group; /* HOG_ANY_CPU, HOG_NO_GROUP */
	int nice, policy, priority; /* policy 0: fair, the priority left alone */
	bool policy_first; /* takes the policy before hogs_ready, not when it begins */
	bool own_session;
	int64_t gap_ns; /* the least that counts as one */
	int64_t work_ns, every_ns; /* uses so much CPU, then sleeps until the next multiple of every_ns; 0: spins */
};

struct hog_gap {
	int64_t t0_ns, t1_ns;
};

struct hog {
	struct hog_plan plan;
	pid_t pid;
	clockid_t clock;
	int64_t cpu_ns, wait_ns; /* at hogs_read(false); over the window after hogs_read(true) */
	_Atomic int err; /* an errno: it could not take its place */
	_Atomic bool ready;
	_Atomic int64_t began_ns, last_ns; /* when it began to spin; when it was last seen to */
	_Atomic int n_gaps; /* all there were; the first HOG_GAPS_MAX are kept */
	struct hog_gap gaps[HOG_GAPS_MAX];
};

struct hogs {
	struct hog hogs[HOGS_MAX];
	int n;
	_Atomic bool go;
	int64_t until_ns; /* they end by themselves then */
	int64_t wall_ns, read_ns;
	struct guard *guard; /* knows of them, if there is one */
	const struct groups *groups;
};

/* NULL: told in the step. They spin until `most_ns` after this call at the latest. */
struct hogs *hogs_open(struct probe_step *s, struct guard *guard, int64_t most_ns);
/* Starts one, which waits for hogs_go. 0 or an errno. */
int hogs_add(struct hogs *h, const struct probe_env *env, const struct groups *g, struct hog_plan plan);
/* Waits until each is in its place, and puts it into its group; the first errno. */
int hogs_ready(struct hogs *h);
void hogs_go(struct hogs *h);
/* Lets them begin and waits until each has; the first errno, or ETIME when one never got its turn. */
int hogs_begin(struct hogs *h);
void hogs_read(struct hogs *h, bool difference);
int64_t hogs_cpu_ns(const struct hogs *h); /* of all, in the window */
/* The longest, and the p-th per mille, of gaps that began in [from, to); RUN_NULL if there was none. */
int64_t hog_gap(const struct hogs *h, int64_t from_ns, int64_t to_ns, int first, int n, int per_mille);
/* Of one that began: how long it ran in [from, to), and its longest wait there, which may have begun before. */
int64_t hog_ran_ns(const struct hog *me, int64_t from_ns, int64_t to_ns, int64_t *longest_ns);
void hogs_stop(struct hogs *h); /* kills and collects them */
void hogs_close(struct hogs *h); /* that too; NULL is fine */
/* The p-th per mille of n values, nearest rank; sorts them. RUN_NULL of none. */
int64_t hogs_quantile(int64_t *values, int n, int per_mille);
/* A lane's stretches in [from, to): "running", and `gap`. */
void hog_spans(
	struct probe_step *s, const struct hog *me, const char *lane, const char *gap, int64_t from_ns, int64_t to_ns);

#endif
