/* Weights of groups: what a group weighs on one CPU is its share of cpu.weight, split by where its tasks are. After
 * kernel/sched/fair.c (calc_group_shares, update_cfs_group). The kernel's sums are averages that decay over some 32 ms
 * (PELT); here they are the loads of the moment, so that weights are those of a settled state. As in the kernel a CPU looks
 * at its own part alone: when a member comes or goes, and at its ticks. */
#include "sim/fair.h"

/* cpu.weight in the kernel's units, kernel/sched/sched.h sched_weight_from_cgroup; autogroups have 1024, cpu.idle 3. */
static int64_t shares(const struct sim_group *g)
{
	if (g->idle)
		return 3;
	return g->session ? 1024 : ((int64_t)g->weight * 1024 + 50) / 100;
}

void sim_groups_init(struct sim *s)
{
	for (int g = 0; g < s->sc->n_groups; g++)
		for (int cpu = 0; cpu < s->n_cpus; cpu++)
			s->entities[sim_group_entity(g, cpu)].weight = shares(&s->sc->groups[g]);
}

void sim_groups_weigh(struct sim *s, struct sim_queue *q)
{
	int64_t all = shares(&s->sc->groups[q->group]), *sum = &s->parts.group_loads[q->group];

	*sum += q->load - q->counted;
	q->counted = q->load;
	if (q->load)
		sim_entity_reweight(s, &s->entities[q->owner], sim_max(sim_min(all * q->load / *sum, all), 2));
}
