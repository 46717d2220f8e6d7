/* Fair queues: what fair.c, its two rule books and the parts that throttle or weigh groups share. */
#ifndef RUNQ_SIM_FAIR_H
#define RUNQ_SIM_FAIR_H

#include "sim/engine.h"

/* A rule book: what EEVDF and CFS decide differently about one queue and its members. All are given. */
struct sim_fair_rules {
	/* v and deadline of `e`, about to be queued. */
	void (*place)(struct sim *s, struct sim_queue *q, struct sim_entity *e, enum sim_how how);
	/* `e` is about to leave, to sleep or to move: what it keeps. */
	void (*leave)(struct sim *s, struct sim_queue *q, struct sim_entity *e, bool sleep);
	/* It wants to sleep; true: it stays queued, delayed. */
	bool (*delays)(struct sim *s, struct sim_queue *q, struct sim_entity *e);
	/* It was woken while it stayed. */
	void (*requeue)(struct sim *s, struct sim_queue *q, struct sim_entity *e);
	/* It ran for `ns`; why another should be chosen if there is one, or SIM_REASON_NONE. */
	enum sim_reason (*charge)(struct sim *s, struct sim_queue *q, struct sim_entity *e, int64_t ns);
	enum sim_reason (*tick)(struct sim *s, struct sim_queue *q, struct sim_entity *e); /* after charge */
	int (*pick)(const struct sim *s, const struct sim_queue *q); /* an entity of a queue that is not empty */
	void (*picked)(
		struct sim *s, struct sim_queue *q, struct sim_entity *e); /* it is the queue's running one now */
	enum sim_reason (*woken)(struct sim *s, struct sim_queue *q, int curr, int e); /* requests or not */
	void (*yield)(struct sim *s, struct sim_queue *q, struct sim_entity *e);
	void (*reweight)(struct sim *s, struct sim_queue *q, struct sim_entity *e, int64_t weight); /* sets e->weight */
	int64_t (*extra)(const struct sim *s, const struct sim_queue *q,
		const struct sim_entity *e); /* ns of running until a request is due */
};
extern const struct sim_fair_rules sim_rules_eevdf, sim_rules_cfs;

/* The weighted mean of v over all members: sum is of w * (v - base), so that it stays below 2^62. */
struct sim_average {
	int64_t base, sum, load;
};
struct sim_average sim_average_of(const struct sim *s, const struct sim_queue *q);
int64_t sim_average_v(struct sim_average a, int64_t empty); /* rounded down */
bool sim_average_eligible(struct sim_average a, int64_t v);
int64_t sim_lag_limit(const struct sim *s, const struct sim_queue *q, const struct sim_entity *e);
int64_t sim_slice_min(const struct sim *s, const struct sim_queue *q, int but); /* SIM_FOREVER: no other */

void sim_queue_account(
	struct sim *s, struct sim_queue *q); /* the running member's time since the last accounting point */
void sim_queue_add(struct sim *s, struct sim_queue *q, struct sim_entity *e);
void sim_queue_remove(struct sim *s, struct sim_queue *q, struct sim_entity *e);
/* The owner of a queue that is not empty enters its parent, and so on up; nothing if it is there. Ends at a throttled queue. */
void sim_owner_enqueue(struct sim *s, struct sim_queue *q);
/* The owner leaves its parent, whatever is inside; parents that become empty leave too. */
void sim_owner_dequeue(struct sim *s, struct sim_queue *q);
/* Weight of an entity, queued or not; the queue's load follows. */
void sim_entity_reweight(struct sim *s, struct sim_entity *e, int64_t weight);

#endif
