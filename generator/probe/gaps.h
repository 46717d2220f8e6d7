/* A spinner that reads the clock all the time and notes when it was off its CPU, and why. */
#ifndef RUNQ_PROBE_GAPS_H
#define RUNQ_PROBE_GAPS_H

#include "probe/harness.h"

enum { GAPS_MAX = 4096 };

/* GAP_SWITCH: it was preempted, says its counter. GAP_HOST: the hypervisor took the CPU, says /proc/stat, which tells
 * stolen time in steps of 10 ms. GAP_OTHER: the rest, interrupts above all. */
enum gap_kind { GAP_SWITCH, GAP_HOST, GAP_OTHER };

struct gap {
	int64_t from_ns, to_ns;
	enum gap_kind kind;
};

struct gaps {
	struct gap items[GAPS_MAX]; /* later ones are dropped */
	int n;
	int64_t began_ns, ended_ns;
};

/* Shorter pauses are the reading itself: 5 us, or 20 reads of a slow clock. */
int64_t gap_least_ns(const struct probe_env *env);
/* Spins until `until_ns`. `cpu`: the one the thread is pinned to, for the stolen time. */
void gaps_watch(struct gaps *g, const struct probe_env *env, int cpu, int64_t until_ns);
/* The whole turns between gaps of the kind GAP_SWITCH, given to `turn` with their number from 0; the first and the last, cut
 * off, are not. Returns how many. */
int gaps_turns(const struct gaps *g, void (*turn)(void *ctx, int i, int64_t from_ns, int64_t to_ns), void *ctx);
int64_t gaps_total_ns(const struct gaps *g, enum gap_kind kind, int *count);
/* The median length of that kind; RUN_NULL if there is none. */
int64_t gaps_median_ns(const struct gaps *g, enum gap_kind kind);

#endif
