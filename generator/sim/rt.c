/* Real-time FIFO and round robin, with their throttling: to come. Nothing is queued, nothing is picked. */
#include "sim/engine.h"

static void enqueue(struct sim *s, int cpu, int task, enum sim_how how)
{
	(void)s;
	(void)cpu;
	(void)task;
	(void)how;
}

static bool dequeue(struct sim *s, int cpu, int task, bool sleep)
{
	(void)s;
	(void)cpu;
	(void)task;
	(void)sleep;
	return true;
}

static void nothing(struct sim *s, int cpu)
{
	(void)s;
	(void)cpu;
}

static int pick(struct sim *s, int cpu)
{
	(void)s;
	(void)cpu;
	return SIM_NONE;
}

static void change(struct sim *s, int cpu, int from, int to)
{
	(void)s;
	(void)cpu;
	(void)from;
	(void)to;
}

static enum sim_reason woken(struct sim *s, int cpu, int task)
{
	(void)s;
	(void)cpu;
	(void)task;
	return SIM_WAKE_DENIED_CLASS;
}

static void reweight(struct sim *s, int cpu, int task)
{
	(void)s;
	(void)cpu;
	(void)task;
}

static int64_t extra(struct sim *s, int cpu)
{
	(void)s;
	(void)cpu;
	return SIM_FOREVER;
}

const struct sim_class sim_class_rt = {
	.enqueue = enqueue,
	.dequeue = dequeue,
	.account = nothing,
	.tick = nothing,
	.pick = pick,
	.change = change,
	.woken = woken,
	.yield = nothing,
	.reweight = reweight,
	.extra = extra,
};

void sim_rt_init(struct sim *s)
{
	(void)s;
}

void sim_rt_timer(struct sim *s, int cpu)
{
	(void)s;
	(void)cpu;
}
