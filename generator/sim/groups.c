/* Weights of groups. Here: the whole share on every CPU, right for groups that keep to one. */
#include "sim/fair.h"

/* cpu.weight in the kernel's units, kernel/sched/sched.h sched_weight_from_cgroup. */
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

void sim_groups_weigh(struct sim *s, int group)
{
	(void)s;
	(void)group;
}
