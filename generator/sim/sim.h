/* The scheduler simulator: a scenario in, one deterministic event log out.
 *
 * Freestanding: integers only, no C library but mem*, nothing static that changes. All memory is the caller's: a
 * scenario, a log and a result are plain structs without pointers, the engine works in a block of sim_memory_bytes().
 * Times are int64_t ns from the scenario's begin; tasks, groups and CPUs are numbers from 0; SIM_NONE is none.
 * Rules and their sources stand beside the code that applies them; units are ns and the kernel's weights (nice 0 = 1024).
 *
 * runq-probe needs the language alone: sim/words.c sim/parse*.c sim/print.c. */
#ifndef RUNQ_SIM_SIM_H
#define RUNQ_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SIM_TASKS_MAX = 64,
	SIM_CPUS_MAX = 16,
	SIM_GROUPS_MAX = 16,
	SIM_OPS_MAX = 512, /* operations of all programs together */
	SIM_LEVELS_MAX = 8, /* of mlfq */
	SIM_NAME_BYTES = 16, /* with the NUL */
	SIM_TEXT_BYTES_MAX = 65536,
	SIM_EVENTS_DEFAULT = 100000,
	SIM_EVENTS_MAX = 100000000,
	SIM_NONE = -1,
	SIM_DEFAULT = -1, /* of a switch: what the profile has */
};
#define SIM_FOREVER INT64_MAX
#define SIM_TIME_MAX (INT64_C(3600) * 1000000000) /* the longest time a scenario may name: one hour */
#define SIM_SEED UINT32_C(2463534242)

/* Which rules. SIM_PROFILE_EEVDF618 is 6.18 with its late stable fixes, EEVDF6180 as first released. */
enum sim_profile {
	SIM_EEVDF618,
	SIM_EEVDF6180,
	SIM_EEVDF71,
	SIM_EEVDF612,
	SIM_EEVDF66,
	SIM_CFS65,
	SIM_FIFO, /* the textbook's from here on: exact timers, all tasks equal */
	SIM_SJF,
	SIM_RR,
	SIM_MLFQ,
	SIM_PROFILES,
};

enum sim_policy { SIM_NORMAL, SIM_BATCH, SIM_IDLE, SIM_TASK_FIFO, SIM_TASK_RR, SIM_DEADLINE };

enum sim_code {
	SIM_RUN,
	SIM_SLEEP,
	SIM_SLEEP_UNTIL,
	SIM_YIELD,
	SIM_POLL,
	SIM_WAKE,
	SIM_WAIT,
	SIM_SET_NICE,
	SIM_EXIT,
	SIM_CODES
};

/* One operation of a program.
 * RUN, SLEEP: `a` ns, or a + x mod (b - a) if b > a, x from the task's own xorshift32 (sim_random); RUN of SIM_FOREVER.
 * SLEEP_UNTIL: `a`, no sleep if that has passed. POLL: reads its own CPU clock, which brings the accounts up to date.
 * WAKE: task `arg`, which WAITs; if it does not, its next WAIT passes (one such wake is kept). SET_NICE: `arg`, on itself. */
struct sim_op {
	int64_t a, b;
	int32_t code, arg;
};

struct sim_task {
	char name[SIM_NAME_BYTES];
	int64_t start, slice; /* slice 0: the kernel's base slice */
	int64_t runtime, deadline, period; /* DEADLINE only; period 0: the deadline */
	uint32_t seed; /* never 0 */
	int32_t policy, nice, prio; /* prio 1-99: FIFO, RR */
	uint32_t cpus; /* affinity, bit per CPU */
	int32_t group; /* SIM_NONE: the root */
	int32_t first_op, n_ops;
	uint8_t once; /* 0: the program repeats for ever */
	uint8_t woken; /* 1: the start is a wake-up (whole slice), 0: a fork (half a slice) */
	uint8_t seeded; /* the text names the seed */
	uint8_t unused[5];
};

struct sim_group {
	char name[SIM_NAME_BYTES];
	int64_t quota, period, burst, phase; /* quota 0: none; phase: of the period timer, from the scenario's begin */
	int32_t weight; /* cpu.weight, 1-10000 */
	int32_t parent; /* SIM_NONE: the root; else a smaller number than its own */
	uint8_t session; /* an autogroup: weight 1024 in the kernel's units, no quota */
	uint8_t idle; /* cpu.idle */
	uint8_t unused[6];
};

struct sim_scenario {
	int32_t profile, cpus, hz;
	int32_t n_tasks, n_groups, n_ops, n_levels;
	int8_t hrtick, rt_throttle, fair_server; /* 0, 1 or SIM_DEFAULT */
	uint8_t reset_on_block; /* mlfq: blocking resets the allotment, the rule that can be gamed */
	uint8_t ostep; /* mlfq: allotments count whole quanta, as in OSTEP's mlfq.py */
	uint8_t unused[3];
	uint32_t seed, events_max, unused_too;
	int64_t horizon, tick_loss, switch_cost;
	int64_t tick_offset[SIM_CPUS_MAX];
	int64_t quantum[SIM_LEVELS_MAX], allot[SIM_LEVELS_MAX]; /* rr uses quantum[0]; SIM_FOREVER: no limit */
	int64_t boost; /* mlfq: 0 is never */
	struct sim_task tasks[SIM_TASKS_MAX];
	struct sim_group groups[SIM_GROUPS_MAX];
	struct sim_op ops[SIM_OPS_MAX];
};

_Static_assert(sizeof(struct sim_op) == 24, "a page reads it by offsets");
_Static_assert(sizeof(struct sim_task) == 96, "a page reads it by offsets");
_Static_assert(sizeof(struct sim_group) == 64, "a page reads it by offsets");
_Static_assert(offsetof(struct sim_scenario, horizon) == 48, "a page reads it by offsets");
_Static_assert(offsetof(struct sim_scenario, tasks) == 336, "a page reads it by offsets");

struct sim_error {
	int32_t line, col; /* from 1, col in bytes; 0: no place */
	char message[200]; /* "what; what to do", terminated */
};

/* The language, one statement a line or between semicolons, # begins a comment:
 *
 *     profile eevdf618                 # see sim_profile_name
 *     cpus 2                           # 1-16; hz 100-1000
 *     hz 250
 *     hrtick on                        # also: fair_server, rt_throttle; absent: what the profile has
 *     rt_throttle off                  # as sched_rt_runtime_us -1: reservations are not refused either
 *     tick_offset 0 2ms                # of each CPU's tick, in order
 *     tick_loss 10us                   # clock that interrupts take at each tick
 *     switch_cost 2us
 *     seed 7                           # of all tasks that name none
 *     events 1000000                   # raises the cap
 *     for 5s                           # how long
 *     quantum 10ms 20ms 40ms           # rr: one; mlfq: one a level
 *     allot 20ms 40ms                  # mlfq; levels not named: no limit
 *     boost 1s                         # mlfq
 *     reset_on_block on                # mlfq; ostep on likewise
 *     group g in h weight 300 quota 50ms/100ms burst 20ms phase 3ms idle
 *     session s                        # an autogroup
 *     task a nice 5 slice 10ms cpu 0 in g start 5ms woken seed 3: run 2ms, sleep 9ms..11ms
 *     task b batch: run                # or idle, fifo 50, rr 50, deadline 4ms 10ms 10ms; run alone: for ever
 *     task c cpu 0-1,3: run 1ms, wake d, once
 *     task d: wait, run 3ms, yield, poll, set_nice 5, sleep_until 1s, exit
 *
 * A time is a number with ns, us, ms or s, or 0. Names are of letters, digits, - and _, at most 15.
 * A program repeats unless it ends with `once`; one that repeats must let time pass. Groups stand before their use. */
bool sim_parse(const char *text, size_t bytes, struct sim_scenario *out, struct sim_error *error);
/* The canonical text, terminated if cap > 0, cut at cap; returns the length of the whole. sim_parse of it gives the same
 * scenario, and sim_print of that the same bytes. */
size_t sim_print(const struct sim_scenario *scenario, char *out, size_t cap);

/* What a record is about, and why it happened. */
enum sim_kind { SIM_SWITCH, SIM_WOKEN, SIM_NOTE };
enum sim_reason {
	SIM_REASON_NONE,
	SIM_TICK_DEADLINE, /* its request was served: the deadline moved at an accounting point */
	SIM_TICK_PROTECTION, /* its protection ran out at an accounting point */
	SIM_TICK_SLICE, /* cfs, rr, mlfq: the slice or quantum is used up */
	SIM_WAKE_IDLE, /* the CPU had nothing to run */
	SIM_WAKE_CLASS, /* a higher class or priority */
	SIM_WAKE_SHORT, /* a shorter slice than the running one's broke the protection */
	SIM_WAKE_EARLIER_DEADLINE,
	SIM_WAKE_CURR_INELIGIBLE,
	SIM_WAKE_LEAST_V, /* cfs: behind by more than the wake-up granularity */
	SIM_WAKE_PENDING, /* a reschedule was due already */
	SIM_WAKE_DENIED_PROTECTED,
	SIM_WAKE_DENIED_LATER_DEADLINE,
	SIM_WAKE_DENIED_OTHER_BETTER,
	SIM_WAKE_DENIED_INELIGIBLE,
	SIM_WAKE_DENIED_CLASS, /* a lower class or priority; or a policy that never preempts */
	SIM_WAKE_DENIED_GRANULARITY, /* cfs */
	SIM_WAKE_THROTTLED,
	SIM_BLOCK,
	SIM_BLOCK_DELAYED, /* left the CPU, stays queued until its debt is paid */
	SIM_DELAYED_DONE,
	SIM_YIELDED,
	SIM_EXITED,
	SIM_THROTTLE,
	SIM_REFILL,
	SIM_CBS_THROTTLE,
	SIM_REPLENISH,
	SIM_SERVER_ON,
	SIM_SERVER_OFF,
	SIM_RT_THROTTLE,
	SIM_RT_RELEASE,
	SIM_MIGRATE,
	SIM_DEMOTE,
	SIM_BOOST,
	SIM_REFUSED, /* DEADLINE admission */
	SIM_MISSED, /* a DEADLINE task's deadline passed with work left */
	SIM_NICED, /* set_nice */
	SIM_REASONS,
};
/* Where the accounts were brought up to date when a switch was asked for. */
enum sim_point {
	SIM_AT_NONE,
	SIM_AT_TICK,
	SIM_AT_HRTICK,
	SIM_AT_WAKE,
	SIM_AT_QUEUE,
	SIM_AT_POLL,
	SIM_AT_YIELD,
	SIM_AT_BURST,
	SIM_AT_TIMER,
	SIM_AT_PICK
};

/* One record of the log.
 * SWITCH: `cpu` went from task `from` to task `to` (SIM_NONE: idle); value: how long `from` (or idle) had been there, ns.
 * WOKEN: task `to` became runnable on `cpu` where `from` runs; reason: why it preempts, or why not; other: the waker.
 * NOTE: something else about task `to`; other: the group (THROTTLE, REFILL), the CPU it comes from (MIGRATE), the new
 * level (DEMOTE) or nice (NICED). `event` is the number of the engine's event it belongs to. */
struct sim_record {
	int64_t t, value;
	uint32_t event;
	int16_t cpu, from, to, other;
	uint8_t kind, reason, point, unused;
};
_Static_assert(sizeof(struct sim_record) == 32, "a page reads it by offsets");
_Static_assert(offsetof(struct sim_record, event) == 16 && offsetof(struct sim_record, cpu) == 20 &&
		       offsetof(struct sim_record, kind) == 28,
	"a page reads it by offsets");

enum sim_end {
	SIM_END_HORIZON,
	SIM_END_EVENTS, /* more than scenario.events_max */
	SIM_END_LOG, /* the log is full */
	SIM_END_MEMORY, /* the block is too small */
	SIM_END_DEFECT, /* sim_check's invariants do not hold: a bug */
	SIM_END_SCENARIO, /* not one that sim_parse makes */
};

/* What a group with a quota used: cpu.stat's usage_usec, throttled_usec (of all CPUs' queues), nr_periods, nr_throttled. */
struct sim_group_use {
	int64_t cpu_ns, throttled_ns; /* charged; of stretches of throttling that are over */
	int32_t periods, throttled;
};

struct sim_result {
	int64_t t; /* how far it came */
	int64_t idle; /* ns, all CPUs */
	uint64_t events; /* ticks of busy CPUs, bursts' ends, wake-ups, timers, and switches */
	uint32_t records; /* in the log, or that would have been, without one */
	int32_t end; /* enum sim_end */
	int32_t defect; /* enum sim_defect */
	int32_t defect_cpu;
	int64_t cpu_ns[SIM_TASKS_MAX]; /* of each task, by the wall clock */
	struct sim_group_use groups[SIM_GROUPS_MAX]; /* zero without a quota */
};

enum sim_flag { SIM_FLAG_CHECK = 1 /* assert the invariants after every event */ };

size_t sim_memory_bytes(void);
/* Runs the whole scenario. `log` may be NULL with log_max 0: nothing is recorded. Same input, same bytes. */
void sim_run(const struct sim_scenario *scenario, void *memory, size_t bytes, struct sim_record *log, uint32_t log_max,
	unsigned flags, struct sim_result *result);

enum sim_defect {
	SIM_SOUND,
	SIM_DEFECT_LAG, /* weighted lags of a queue do not add up to 0 */
	SIM_DEFECT_PICK, /* an ineligible entity was picked */
	SIM_DEFECT_IDLE, /* a CPU idles while a task it may run waits */
	SIM_DEFECT_BANDWIDTH, /* a group used more than it was given */
	SIM_DEFECT_QUEUE, /* a queue's members and counters disagree */
	SIM_DEFECT_LOG, /* the log contradicts itself */
	SIM_DEFECT_ORDER, /* a lower class, a lower priority or a later deadline runs while a higher one waits */
};
const char *sim_defect_text(int defect);
/* Follows a log: each switch leaves the task that ran, no task runs twice at once, asleep, or outside its CPUs, times never
 * go back, the lengths of the stretches are true, and groups keep to their quotas. Returns SIM_DEFECT_LOG or _BANDWIDTH with the
 * record's number, else SIM_SOUND. */
int sim_check(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, uint32_t *at);

/* A queue's member as the decision saw it. lag = V - v; lag, V and eligible of queues that have them. */
struct sim_member {
	int64_t v, deadline, vprot, lag, average, slice, weight;
	int64_t level_left; /* textbook: quantum left; DEADLINE: budget left; RR: ticks left of its round */
	int16_t task, group, cpu; /* a task, a group's part on this CPU, or, neither, this CPU's fair server */
	int16_t level; /* the queue it is in: a group, or SIM_NONE: the root */
	uint8_t queued, running, delayed, eligible, throttled, unused[3];
};
_Static_assert(sizeof(struct sim_member) == 80, "a page reads it by offsets");
enum { SIM_MEMBERS_MAX = SIM_TASKS_MAX + SIM_GROUPS_MAX * SIM_CPUS_MAX + SIM_CPUS_MAX };
struct sim_state {
	int64_t t;
	uint32_t event,
		record; /* the last event; the record whose moment this is, or the number of records until now */
	int32_t n;
	int32_t running[SIM_CPUS_MAX];
	int32_t unused;
	struct sim_member members[SIM_MEMBERS_MAX];
};
/* A second run that stops when record `record` is made, or after all events up to time `t`; false if it comes to neither.
 * Accounts stand as the kernel has them then: what ran since the last accounting point is not in v. */
bool sim_state_at_record(
	const struct sim_scenario *scenario, void *memory, size_t bytes, uint32_t record, struct sim_state *out);
bool sim_state_at_time(
	const struct sim_scenario *scenario, void *memory, size_t bytes, int64_t t, struct sim_state *out);

/* Figures of one task, from the log. Waits: from each wake-up until it runs. */
struct sim_figures {
	int64_t cpu_ns, runs, run_min, run_max, run_median; /* uninterrupted stretches that ended before the log did */
	int64_t wakes, wait_sum, wait_max, wait_median, wait_p90;
	int64_t below_300us; /* of the waits */
	int64_t first_run, finished; /* times; SIM_NONE: not yet */
};
/* scratch: room for one number per record of the log, for the quantiles. */
void sim_measure(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, int64_t end, int task,
	int64_t *scratch, struct sim_figures *out);

/* Names as the language and logs write them; NULL out of range. sim_find returns SIM_NONE if no task has that name. */
const char *sim_profile_name(int profile);
const char *sim_profile_label(int profile); /* "Linux 6.18 (EEVDF)" */
int sim_profile_find(const char *name, size_t bytes);
const char *sim_policy_name(int policy);
const char *sim_code_name(int code);
const char *sim_reason_name(int reason);
const char *sim_reason_text(int reason); /* for people: "its request was served" */
const char *sim_point_text(int point); /* "at a tick" */
int sim_task_find(const struct sim_scenario *scenario, const char *name, size_t bytes);

uint32_t sim_random(
	uint32_t *state); /* xorshift32, shifts 13 17 5 (Marsaglia 2003); never 0 from a state that is not */
int64_t sim_draw(const struct sim_op *op, uint32_t *state); /* the op's time: a, or with jitter */
int32_t sim_nice_weight(int nice); /* -20..19; kernel/sched/core.c, sched_prio_to_weight */

#endif
