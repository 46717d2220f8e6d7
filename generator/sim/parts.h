/* State and hooks of the parts that can be absent from a scenario: real-time throttling, DEADLINE and the fair server,
 * bandwidth, group weights. Included by engine.h, once, and by nobody else. */
#ifndef RUNQ_SIM_PARTS_H
#define RUNQ_SIM_PARTS_H

#include "sim/sim.h"

struct sim;
struct sim_queue;
struct sim_entity;

/* A group with a quota (bandwidth.c). */
struct sim_pool {
	int64_t left, filled; /* in the pool now; ever put into it */
	bool active, idle,
		slack; /* its timer runs; nobody asked since it last did; what came back is to be handed out */
};

/* A DEADLINE task's reservation (deadline.c). */
struct sim_reservation {
	int64_t deadline, budget, accounted;
	int64_t due; /* its program's work since it woke, or since its last replenishment after a yield, should be done then */
	uint32_t order;
	bool throttled, admitted, queued, yielded;
};

/* A CPU's fair server (server.c) and real-time state (rt.c). */
struct sim_server {
	int64_t deadline, budget;
	bool active; /* it has fair tasks to look after */
	bool throttled; /* it waits, for its moment of zero laxity */
};
struct sim_rt {
	int64_t time;
	int n; /* tasks queued */
	bool throttled;
};
struct sim_rt_task {
	int64_t accounted;
	uint32_t order;
	int32_t ticks_left;
	bool queued;
};

struct sim_parts {
	struct sim_pool pools[SIM_GROUPS_MAX];
	struct sim_reservation reservations[SIM_TASKS_MAX];
	struct sim_rt_task rt_tasks[SIM_TASKS_MAX];
	struct sim_server servers[SIM_CPUS_MAX];
	struct sim_rt rt[SIM_CPUS_MAX];
	int64_t admitted; /* DEADLINE bandwidth in 2^-20 */
	bool rt_limited; /* real-time tasks are throttled */
	int64_t group_loads[SIM_GROUPS_MAX]; /* of all CPUs */
};

/* bandwidth.c. Queues without a quota are not asked about: callers test q->limited. */
void sim_bandwidth_init(struct sim *s);
void sim_bandwidth_charge(
	struct sim *s, struct sim_queue *q, int64_t ns); /* at an accounting point; may request a reschedule */
void sim_bandwidth_first(struct sim *s, struct sim_queue *q); /* the first member was queued */
void sim_bandwidth_empty(struct sim *s, struct sim_queue *q); /* the last member left */
bool sim_bandwidth_pick(
	struct sim *s, struct sim_queue *q); /* before a pick: true if it throttled the queue: pick anew */
void sim_bandwidth_timer(struct sim *s, int group, bool slack);
bool sim_bandwidth_sound(const struct sim *s, int group); /* of a group with a quota */

/* groups.c. */
void sim_groups_init(struct sim *s);
void sim_groups_weigh(struct sim *s, struct sim_queue *q); /* a group's part on one CPU gets its weight anew */

/* deadline.c. Deadlines and budgets of tasks and servers are compared alike. */
void sim_deadline_init(struct sim *s);
void sim_deadline_timer(struct sim *s, int task);
bool sim_deadline_admit(struct sim *s, int task); /* a new task; false, and noted: it never runs */
bool sim_deadline_stale(int64_t now, int64_t deadline, int64_t budget, int64_t runtime, int64_t relative);
int64_t sim_deadline_running(const struct sim *s, int cpu); /* of what runs there in this class */

/* server.c. */
void sim_server_init(struct sim *s);
bool sim_server_ready(const struct sim *s, int cpu); /* it competes with the CPU's reservations */
void sim_server_stop(struct sim *s, int cpu); /* nothing fair to run */
void sim_server_queued(struct sim *s, int cpu); /* the CPU's first fair task was queued */
void sim_server_charge(struct sim *s, int cpu, int64_t ns); /* fair or idle time went by */
void sim_server_timer(struct sim *s, int cpu);

/* rt.c. */
void sim_rt_init(struct sim *s);
void sim_rt_timer(struct sim *s);

#endif
