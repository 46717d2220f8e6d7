/* The engine's inside, for the files of this folder alone: sim.h is the contract.
 *
 * engine.c turns events over in the order of the rules; sched.c picks, switches, wakes and moves tasks between CPUs;
 * program.c executes what tasks do; classes (fair.c, textbook.c, rt.c, deadline.c) queue and choose. A fair queue is one
 * level of one CPU: the root's or a group's, all of them the same struct, walked from the task up as the kernel does.
 *
 * Everything lives in struct sim, which is the caller's block; pointers between its parts last as long as the run. */
#ifndef RUNQ_SIM_ENGINE_H
#define RUNQ_SIM_ENGINE_H

#include <string.h>

#include "sim/sim.h"

/* In the order of priority. Textbook profiles have their policy in the place of FAIR and nothing else. */
enum { SIM_CLASS_DEADLINE, SIM_CLASS_RT, SIM_CLASS_FAIR, SIM_CLASSES };

enum {
	SIM_ENTITIES = SIM_TASKS_MAX + SIM_GROUPS_MAX * SIM_CPUS_MAX,
	SIM_QUEUES = SIM_CPUS_MAX + SIM_GROUPS_MAX * SIM_CPUS_MAX,
};

/* A member of a fair queue: a task (entity number = task number), or what a group weighs on one CPU (sim_group_entity). */
struct sim_entity {
	int64_t v, deadline, vprot, vlag; /* virtual ns; deadline is relative to v while `relative` */
	int64_t slice, weight;
	int64_t accounted; /* the CPU's clock when v was last brought up to date; only while it runs */
	int64_t sum, sum_at_pick; /* ns run; cfs measures its slice from the pick */
	int16_t queue, child; /* the queue it belongs to; the one it owns, or SIM_NONE: a task */
	int16_t prev, next; /* in the queue's list: first queued first */
	bool queued, delayed, relative, fresh, skip;
	bool custom; /* its slice was asked for */
	bool idle; /* SCHED_IDLE, or a group with cpu.idle */
	bool batch;
};

struct sim_queue {
	int64_t load, min_v; /* sum of the weights queued; a reference that never goes back */
	int64_t budget; /* bandwidth: what is left here of the pieces fetched from the pool */
	int16_t cpu, group, owner; /* SIM_NONE: the root, which has no owner */
	int16_t first, last, n; /* queued, with the running one and delayed sleepers */
	int16_t curr; /* the member that runs, or whose child does */
	bool limited, throttled; /* has a quota; is out of it: then its owner is not queued */
	uint32_t throttle_order;
	int64_t throttled_at;
	int64_t counted; /* of the load: what the group's sum over all CPUs has */
};

enum sim_task_state { SIM_NEW, SIM_SLEEPING, SIM_WAITING, SIM_RUNNABLE, SIM_GONE };

/* A task at run time. */
struct sim_thread {
	int64_t left; /* of its run operation, unless it runs: then see sim_cpu.work_end */
	int64_t wake_at; /* SIM_FOREVER: by a task, or never */
	uint32_t wake_order, random;
	int32_t pc; /* of the next operation */
	int32_t nice;
	int16_t cpu;
	uint8_t state, class_id;
	bool wake_kept, restart; /* restart: blocked and was woken before its CPU could switch */
};

struct sim_cpu {
	int64_t clock,
		lost; /* time as tasks are charged for it: the wall's without what interrupts and switches took */
	int64_t work_end; /* by the clock: when the running task's operation ends */
	int64_t burst_at, tick_at, extra_at; /* by the wall */
	int64_t since; /* when the running task came */
	int16_t curr;
	uint8_t curr_class; /* that it runs in: a fair task under the fair server runs as DEADLINE */
	uint8_t reason, point;
	bool resched;
};

/* Textbook: what a task has left at its level. */
struct sim_book {
	int64_t left, used, accounted;
	int32_t level, quanta;
	uint32_t order;
	bool queued;
};

/* Timers; at equal times in this order. */
enum {
	SIM_TIMER_QUOTA = 0, /* + group */
	SIM_TIMER_SLACK = SIM_TIMER_QUOTA + SIM_GROUPS_MAX, /* + group */
	SIM_TIMER_REPLENISH = SIM_TIMER_SLACK + SIM_GROUPS_MAX, /* + task */
	SIM_TIMER_SERVER = SIM_TIMER_REPLENISH + SIM_TASKS_MAX, /* + CPU */
	SIM_TIMER_RT = SIM_TIMER_SERVER + SIM_CPUS_MAX,
	SIM_TIMER_BOOST,
	SIM_TIMERS,
};

/* What differs between the profiles of Linux; fair_eevdf.c has the table. */
struct sim_rules {
	const struct sim_fair_rules *fair;
	int64_t slice_unit; /* of the base slice, before it grows with the CPUs */
	bool vprot; /* protection until vprot (6.17), else until the deadline moves */
	bool preempt_short; /* 6.12 */
	bool delay_dequeue; /* with custom slices and relative deadlines on migration, 6.12 */
	bool late; /* lag limit by the longest slice; yield moves v to the deadline */
	bool lag_frozen; /* a delayed sleeper's lag does not get worse */
	bool hrtick, rt_throttle, fair_server; /* defaults */
};

#include "sim/parts.h"

struct sim {
	const struct sim_scenario *sc;
	const struct sim_rules *rules;
	const struct sim_class *classes[SIM_CLASSES];
	struct sim_record *log;
	struct sim_result *out;
	struct sim_state *state; /* to fill when the stop is reached */
	int64_t now, tick_ns, base_slice, latency, min_gran, wake_gran;
	int64_t wake_min, timer_min, timers[SIM_TIMERS];
	uint64_t events;
	uint32_t records, log_max, stop_record, sequence, resched;
	int32_t wake_task, timer_next;
	int16_t n_cpus, n_tasks;
	uint8_t phase, phase_cpu, point;
	bool textbook, extra, stopped, checking;
	bool spreads; /* real-time tasks and reservations on several CPUs */
	bool serving; /* fair servers exist, and tasks that could keep fair ones waiting */
	struct sim_cpu cpus[SIM_CPUS_MAX];
	struct sim_thread threads[SIM_TASKS_MAX];
	struct sim_book books[SIM_TASKS_MAX];
	struct sim_entity entities[SIM_ENTITIES];
	struct sim_queue queues[SIM_QUEUES];
	struct sim_parts parts;
};

struct sim_fair_rules;

enum sim_how { SIM_BY_WAKE, SIM_BY_FORK, SIM_BY_MOVE, SIM_BY_DELAYED /* woken while still queued */ };

/* A class. Tasks and CPUs by number; all hooks must be given. */
struct sim_class {
	void (*enqueue)(struct sim *s, int cpu, int task, enum sim_how how);
	/* Takes the task off its queue, to sleep or to move; false: it stays, as a delayed sleeper. Accounts first. */
	bool (*dequeue)(struct sim *s, int cpu, int task, bool sleep);
	void (*account)(struct sim *s, int cpu); /* the running task's, as far as reading its clock would */
	void (*tick)(struct sim *s, int cpu); /* the same for all levels, and what else a tick decides */
	int (*pick)(struct sim *s,
		int cpu); /* the best task, or SIM_NONE; accounts the running one if it is of this class */
	/* The CPU goes from one task to another; either may be SIM_NONE, which is: not of this class. */
	void (*change)(struct sim *s, int cpu, int from, int to);
	/* `task` was woken where `from`, of this class, runs: requests a reschedule or not, and says why. */
	enum sim_reason (*woken)(struct sim *s, int cpu, int task);
	void (*yield)(struct sim *s, int cpu);
	void (*reweight)(struct sim *s, int cpu, int task); /* its nice changed */
	int64_t (*extra)(struct sim *s,
		int cpu); /* ns of the CPU's clock until the next exact accounting point, or SIM_FOREVER */
};
extern const struct sim_class sim_class_fair, sim_class_textbook, sim_class_rt, sim_class_deadline;

/* fair.c, fair_eevdf.c, textbook.c */
void sim_fair_init(struct sim *s);
const struct sim_rules *sim_rules_of(int profile);
void sim_textbook_init(struct sim *s);
void sim_textbook_boost(struct sim *s);
/* engine.c */
void sim_timer_set(struct sim *s, int timer, int64_t at); /* SIM_FOREVER: off */
void sim_timer_fired(struct sim *s, int timer); /* dispatches to the parts */
/* sched.c */
void sim_request(struct sim *s, int cpu, enum sim_reason reason); /* the first reason stands */
void sim_resolve(struct sim *s); /* honours what was requested */
void sim_wake(struct sim *s, int task, int waker);
void sim_block(struct sim *s, int cpu, enum sim_reason reason); /* the running task, whose new state is set */
void sim_cpu_plan(struct sim *s, int cpu); /* when its burst ends */
bool sim_task_waits(const struct sim *s, int task); /* runnable, not running, on no throttled queue */
/* A task that waits should run on that CPU, rather than what does: higher class or priority, earlier deadline, or idle. */
bool sim_outranks(const struct sim *s, int task, int cpu);
/* log.c */
void sim_log(struct sim *s, struct sim_record r);
void sim_note(struct sim *s, int cpu, enum sim_reason reason, int task, int other, int64_t value);
/* program.c */
void sim_program_step(struct sim *s, int cpu);
/* state.c */
void sim_state_fill(const struct sim *s, struct sim_state *out);
enum sim_defect sim_state_check(const struct sim *s, int *cpu);
/* engine.c, for state.c */
void sim_engine_run(struct sim *s, int64_t until);
bool sim_engine_init(struct sim *s, const struct sim_scenario *sc, struct sim_result *out);

/* The CPU's clock, brought up to now. */
static inline int64_t sim_clock(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];
	int64_t t = s->now - c->lost;

	if (t > c->clock)
		c->clock = t;
	return c->clock;
}

static inline int sim_group_entity(int group, int cpu)
{
	return SIM_TASKS_MAX + group * SIM_CPUS_MAX + cpu;
}
static inline int sim_queue_of(int group, int cpu)
{
	return group == SIM_NONE ? cpu : SIM_CPUS_MAX + group * SIM_CPUS_MAX + cpu;
}
static inline int64_t sim_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}
static inline int64_t sim_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}
/* Virtual time of `ns` at a weight: ns * 1024 / weight, as 64-bit kernels divide. */
static inline int64_t sim_virtual(int64_t ns, int64_t weight)
{
	return weight == 1024 ? ns : ns * 1024 / weight;
}

#endif
