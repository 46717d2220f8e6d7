/* Scenarios drawn from a seed, for tests of what must hold for all. The same seed gives the same text everywhere. */
#ifndef RUNQ_TESTS_SIM_RANDOM_H
#define RUNQ_TESTS_SIM_RANDOM_H

#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

struct draw {
	uint32_t state;
	char *out;
	size_t cap, n;
	int groups;
	bool linux_rules, quotas, real_time;
};

static inline uint32_t draw(struct draw *d, uint32_t below)
{
	return sim_random(&d->state) % below;
}

#define DRAW_PUT(d, ...)                                                                                               \
	((d)->n += (size_t)snprintf((d)->out + ((d)->n < (d)->cap ? (d)->n : (d)->cap),                                \
		 (d)->n < (d)->cap ? (d)->cap - (d)->n : 0, __VA_ARGS__))

static inline void draw_machine(struct draw *d)
{
	static const int rates[] = {100, 250, 300, 1000};
	int profile = (int)draw(d, SIM_PROFILES);
	uint32_t cpus = 1 + draw(d, 4);

	d->linux_rules = profile < SIM_FIFO;
	d->real_time = d->real_time && d->linux_rules && draw(d, 2);
	DRAW_PUT(d, "profile %s\ncpus %u\nhz %d\nfor %ums\nevents 20000\n", sim_profile_name(profile), (unsigned)cpus,
		rates[draw(d, 4)], 50 + (unsigned)draw(d, d->real_time && draw(d, 2) ? 3000 : 400));
	if (d->real_time && draw(d, 2))
		DRAW_PUT(d, "rt_throttle %s\n", draw(d, 2) ? "on" : "off");
	if (d->real_time && draw(d, 3) == 0)
		DRAW_PUT(d, "fair_server %s\n", draw(d, 2) ? "on" : "off");
	if (draw(d, 3) == 0)
		DRAW_PUT(d, "hrtick %s\n", draw(d, 2) ? "on" : "off");
	if (draw(d, 3) == 0)
		DRAW_PUT(d, "tick_loss %uus\n", (unsigned)draw(d, 30));
	if (draw(d, 4) == 0)
		DRAW_PUT(d, "switch_cost %uns\n", (unsigned)draw(d, 5000));
	if (draw(d, 3) == 0)
		DRAW_PUT(d, "tick_offset 0 %uus\n", (unsigned)draw(d, 4000));
	if (profile == SIM_MLFQ)
		DRAW_PUT(d, "quantum 3ms 7ms 11ms\nallot %ums 20ms\nboost %ums\nostep %s\n", 3 + (unsigned)draw(d, 9),
			20 + (unsigned)draw(d, 90), draw(d, 2) ? "on" : "off");
}

static inline void draw_quota(struct draw *d)
{
	unsigned quota = 1 + draw(d, draw(d, 2) ? 8 : 60), period = 10 + (unsigned)draw(d, 100);

	DRAW_PUT(d, " quota %ums/%ums", quota, period);
	if (draw(d, 3) == 0)
		DRAW_PUT(d, " burst %uus", (unsigned)draw(d, quota * 1000));
	if (draw(d, 3) == 0)
		DRAW_PUT(d, " phase %uus", (unsigned)draw(d, period * 1000));
}

static inline void draw_groups(struct draw *d)
{
	d->groups = d->linux_rules ? (int)draw(d, 4) : 0;
	for (int g = 0; g < d->groups; g++) {
		DRAW_PUT(d, "group g%d", g);
		if (g && draw(d, 2))
			DRAW_PUT(d, " in g%u", (unsigned)draw(d, (uint32_t)g));
		if (draw(d, 2))
			DRAW_PUT(d, " weight %u", 1 + (unsigned)draw(d, 900));
		if (draw(d, 8) == 0)
			DRAW_PUT(d, " idle");
		if (d->quotas && draw(d, 2))
			draw_quota(d);
		DRAW_PUT(d, "\n");
	}
}

static inline void draw_op(struct draw *d, int tasks)
{
	uint32_t lo = 1 + draw(d, 9000);

	switch (draw(d, 9)) {
	case 0:
	case 1:
	case 2: DRAW_PUT(d, ", run %uus..%uus", (unsigned)lo, (unsigned)(lo + 1 + draw(d, 5000))); break;
	case 3:
	case 4: DRAW_PUT(d, ", sleep %uus", (unsigned)lo); break;
	case 5: DRAW_PUT(d, ", yield"); break;
	case 6: DRAW_PUT(d, ", poll"); break;
	case 7: DRAW_PUT(d, ", set_nice %d", (int)draw(d, 40) - 20); break;
	default:
		DRAW_PUT(d, ", wake t%u%s", (unsigned)draw(d, (uint32_t)tasks), draw(d, 4) == 0 ? ", wait" : "");
		break;
	}
}

static inline void draw_urgent(struct draw *d)
{
	unsigned runtime = 1 + draw(d, 4000), deadline = runtime + draw(d, 20000);

	if (draw(d, 2))
		DRAW_PUT(d, " %s %u", draw(d, 2) ? "rr" : "fifo", 1 + (unsigned)draw(d, draw(d, 2) ? 3 : 99));
	else
		DRAW_PUT(d, " deadline %uus %uus %uus", runtime + 1, deadline + 1,
			deadline + 1 + (draw(d, 2) ? (unsigned)draw(d, 9000) : 0));
}

static inline void draw_task(struct draw *d, int i, int tasks)
{
	bool urgent = d->real_time && draw(d, 3) == 0;

	static const char *const policies[] = {"", "", "", " batch", " idle"};

	DRAW_PUT(d, "task t%d", i);
	if (urgent)
		draw_urgent(d);
	else if (d->linux_rules)
		DRAW_PUT(d, " nice %d%s", (int)draw(d, 40) - 20, policies[draw(d, 5)]);
	if (d->linux_rules && draw(d, 3) == 0)
		DRAW_PUT(d, " slice %uus", 100 + (unsigned)draw(d, 20000));
	if (draw(d, 3) == 0)
		DRAW_PUT(d, " cpu 0");
	if (!urgent && d->groups && draw(d, 2))
		DRAW_PUT(d, " in g%u", (unsigned)draw(d, (uint32_t)d->groups));
	if (draw(d, 2))
		DRAW_PUT(d, " start %uus", (unsigned)draw(d, 40000));
	if (draw(d, 4) == 0)
		DRAW_PUT(d, " woken");
	if (draw(d, 4) == 0) {
		DRAW_PUT(d, ": run\n");
		return;
	}
	DRAW_PUT(d, ": run %uus", 1 + (unsigned)draw(d, 12000));
	for (uint32_t n = draw(d, 5); n; n--)
		draw_op(d, tasks);
	DRAW_PUT(d, draw(d, 6) ? "\n" : ", once\n");
}

/* The length of the text, terminated, at most cap. */
static inline size_t draw_scenario(uint32_t seed, bool quotas, bool real_time, char *out, size_t cap)
{
	struct draw d = {.state = seed * UINT32_C(2654435769) | 1,
		.out = out,
		.cap = cap,
		.quotas = quotas,
		.real_time = real_time};
	int tasks = 1 + (int)draw(&d, 7);

	draw_machine(&d);
	draw_groups(&d);
	for (int i = 0; i < tasks; i++)
		draw_task(&d, i, tasks);
	return d.n;
}

#endif
