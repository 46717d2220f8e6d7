/* The actors of a measurement: processes of their own that spin, or wake, work and sleep again, on a CPU and with a
 * priority of their choice, watched from outside. The step that opened a stage owns it; actors die with that process. */
#ifndef RUNQ_PROBE_STAGE_H
#define RUNQ_PROBE_STAGE_H

#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

#include "probe/harness.h"
#include "probe/linux.h"

enum {
	STAGE_ACTORS_MAX = 33, /* two a CPU, and one, on 16 CPUs */
	STAGE_WAKES_MAX = 2000,
	STAGE_GAPS_MAX = 4000,
	STAGE_ANY_CPU = -1,
	STAGE_UNIT_ROUNDS = 25000
};

/* Zero is the default of each but the CPU. */
struct actor_spec {
	int cpu; /* STAGE_ANY_CPU: wherever the kernel likes */
	int nice, policy;
	bool own_session; /* an autogroup of its own, where there are any */
	int autogroup_nice; /* of that autogroup */
	int64_t slice_ns; /* 0: the kernel's */
	/* A sleeper: wakes every period_ns, each time off by up to jitter_ns, and uses work_ns of CPU. 0: a spinner. One a
	 * stage. */
	int64_t period_ns, jitter_ns, work_ns;
	int64_t slack_ns; /* of its timers; 0: the default, 50 us */
	bool catches_up; /* misses no wake: after a late one the next may be late from the start */
	int wakes; /* how many of them are kept */
	int64_t nap_ns; /* a spinner that naps for so long after each work_ns */
	int64_t units; /* a job: so many units of work, then nothing more */
	bool keeps_gaps; /* a spinner that looks at the clock all the time and keeps how long it did not run */
};

enum actor_deed { DEED_START, DEED_SESSION, DEED_PIN, DEED_NICE, DEED_POLICY, DEED_SLICE, DEED_AUTOGROUP };

struct actor {
	struct actor_spec spec;
	pid_t pid;
	clockid_t clock;
	int64_t cpu_ns, wait_ns,
		turns; /* at stage_read(false); over the window after stage_read(true); a job's own when
					 * it is done */
	int64_t voluntary, involuntary; /* switches, likewise; RUN_NULL where /proc does not tell */
	_Atomic int64_t work; /* units of work done: spin_work(STAGE_UNIT_ROUNDS) */
	_Atomic int64_t began_ns, done_ns; /* of a job; 0: not yet */
	_Atomic int moves, cpus_used; /* a job: changes of CPU seen between units, CPUs seen */
	_Atomic int err; /* an errno: it could not take its place, because of `deed` */
	_Atomic enum actor_deed deed;
	_Atomic bool ready, go;
};

struct stage {
	struct actor actors[STAGE_ACTORS_MAX];
	int n;
	int64_t wall_ns; /* as the actors' counts */
	_Atomic int n_late; /* wakes kept so far */
	int64_t late_ns[STAGE_WAKES_MAX]; /* from when the sleeper meant to run until it ran */
	_Atomic int n_gaps;
	int64_t gap_ns[STAGE_GAPS_MAX]; /* of those who keep them, mixed */
};

/* NULL: told in the step. */
struct stage *stage_open(struct probe_step *s);
/* False: it could not start; told in the step. */
bool stage_add(struct probe_step *s, struct stage *st, struct actor_spec spec);
/* Waits until each has its CPU and priority, then lets them begin and `settle_ns` pass. False: told in the step. */
bool stage_start(struct probe_step *s, struct stage *st, int64_t settle_ns);
void stage_read(struct stage *st, bool difference);
/* Reads, lets `window_ns` pass, reads again. */
void stage_watch(struct stage *st, int64_t window_ns);
/* The same, but goes on, up to eight times as long, until they had half the CPU time that they had alone: for those so light
 * that strangers leave them next to nothing. */
void stage_watch_light(struct stage *st, int64_t window_ns);
/* Waits until the sleeper has kept its wakes; false: it took longer than `limit_ns`, told in the step. */
bool stage_wakes(struct probe_step *s, struct stage *st, int64_t limit_ns);
/* Waits until every job is done; false likewise. Returns in *wall_ns the time from the first's start to the last's end. */
bool stage_jobs(struct probe_step *s, struct stage *st, int64_t limit_ns, int64_t *wall_ns);
/* Waits until an actor has ended a turn of half a quantum at least. False: none ended within `limit_ns`. */
bool stage_turn_end(const struct probe_step *s, const struct stage *st, int actor, int64_t limit_ns);
int64_t stage_ppm(int64_t part, int64_t whole); /* RUN_NULL if either is unknown or the whole is nothing */
/* An actor's part of the CPU time of all, in ppm; RUN_NULL: the clocks stand still. */
int64_t stage_share(const struct stage *st, int actor);
/* Kills and collects them all. NULL is fine. */
void stage_close(struct stage *st);

/* The p-th per mille of n values, which it sorts; RUN_NULL of none. */
int64_t stage_quantile(int64_t *values, int n, int per_mille);
/* Reports the sleeper's waits as metrics p50, p90, max, and p99 if there are 100, and as histogram "wait". */
void stage_report_waits(struct probe_step *s, struct stage *st);

#endif
