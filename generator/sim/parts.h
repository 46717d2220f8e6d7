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
	int64_t left, used;
	int32_t periods, throttled;
	bool active, slack;
};

/* A DEADLINE task's reservation (deadline.c). */
struct sim_reservation {
	int64_t deadline, budget;
	bool throttled, admitted, queued, yielded;
};

/* A CPU's fair server (deadline.c) and real-time state (rt.c). */
struct sim_server {
	int64_t deadline, budget;
	bool active, armed, throttled;
};
struct sim_rt {
	int64_t time, accounted;
	bool throttled;
};
struct sim_rt_task {
	int32_t ticks_left;
	int32_t order;
	bool queued;
};

struct sim_parts {
	struct sim_pool pools[SIM_GROUPS_MAX];
	struct sim_reservation reservations[SIM_TASKS_MAX];
	struct sim_rt_task rt_tasks[SIM_TASKS_MAX];
	struct sim_server servers[SIM_CPUS_MAX];
	struct sim_rt rt[SIM_CPUS_MAX];
	int64_t admitted; /* DEADLINE bandwidth in 2^-20 */
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

/* groups.c. */
void sim_groups_init(struct sim *s);
void sim_groups_weigh(struct sim *s, int group); /* loads changed: the group's entities get their weights */

/* deadline.c. */
void sim_deadline_init(struct sim *s);
void sim_deadline_timer(struct sim *s, int task);
void sim_server_queued(struct sim *s, int cpu); /* the CPU's first fair task was queued */
void sim_server_charge(struct sim *s, int cpu, int64_t ns); /* fair or idle time went by */
void sim_server_timer(struct sim *s, int cpu);

/* rt.c. */
void sim_rt_init(struct sim *s);
void sim_rt_timer(struct sim *s, int cpu);

#endif
