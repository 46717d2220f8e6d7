/* Quotas of groups. */
#include "sim/fair.h"

void sim_bandwidth_init(struct sim *s)
{
	(void)s;
}

void sim_bandwidth_charge(struct sim *s, struct sim_queue *q, int64_t ns)
{
	(void)s;
	(void)q;
	(void)ns;
}

void sim_bandwidth_first(struct sim *s, struct sim_queue *q)
{
	(void)s;
	(void)q;
}

void sim_bandwidth_empty(struct sim *s, struct sim_queue *q)
{
	(void)s;
	(void)q;
}

bool sim_bandwidth_pick(struct sim *s, struct sim_queue *q)
{
	(void)s;
	(void)q;
	return false;
}

void sim_bandwidth_timer(struct sim *s, int group, bool slack)
{
	(void)s;
	(void)group;
	(void)slack;
}
