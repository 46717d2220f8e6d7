/* The names of the language and the log, and the tables the kernel's sources give. */
#include "sim/sim.h"

static const struct {
	const char *name, *label;
} profiles[] = {
	[SIM_EEVDF618] = {"eevdf618", "Linux 6.18, late stable (EEVDF)"},
	[SIM_EEVDF6180] = {"eevdf6180", "Linux 6.18.0 (EEVDF)"},
	[SIM_EEVDF71] = {"eevdf71", "Linux 7.1 (EEVDF)"},
	[SIM_EEVDF612] = {"eevdf612", "Linux 6.12 (EEVDF)"},
	[SIM_EEVDF66] = {"eevdf66", "Linux 6.6 (EEVDF)"},
	[SIM_CFS65] = {"cfs65", "Linux 6.5 (CFS)"},
	[SIM_FIFO] = {"fifo", "textbook first come, first served"},
	[SIM_SJF] = {"sjf", "textbook shortest job first"},
	[SIM_RR] = {"rr", "textbook round robin"},
	[SIM_MLFQ] = {"mlfq", "textbook multi-level feedback queue"},
};
_Static_assert(sizeof profiles / sizeof *profiles == SIM_PROFILES, "a name for each");

static const char *const policies[] = {"normal", "batch", "idle", "fifo", "rr", "deadline"};
static const char *const codes[] = {"run", "sleep", "sleep_until", "yield", "poll", "wake", "wait", "set_nice", "exit"};
_Static_assert(sizeof codes / sizeof *codes == SIM_CODES, "a name for each");

static const struct {
	const char *name, *text;
} reasons[] = {
	[SIM_REASON_NONE] = {"none", "the simulation began"},
	[SIM_TICK_DEADLINE] = {"tick_deadline", "its request was served: the deadline moved on"},
	[SIM_TICK_PROTECTION] = {"tick_protection", "its protection had run out"},
	[SIM_TICK_SLICE] = {"tick_slice", "its slice was used up"},
	[SIM_WAKE_IDLE] = {"wake_idle", "the CPU had nothing to run"},
	[SIM_WAKE_CLASS] = {"wake_class", "the woken one is of a higher class or priority"},
	[SIM_WAKE_SHORT] = {"wake_short", "the woken one asks for a shorter slice, which breaks protection"},
	[SIM_WAKE_EARLIER_DEADLINE] = {"wake_earlier_deadline", "the woken one has the earlier deadline"},
	[SIM_WAKE_CURR_INELIGIBLE] = {"wake_curr_ineligible", "the running one has had more than its share"},
	[SIM_WAKE_LEAST_V] = {"wake_least_v", "the woken one is behind by more than the wake-up granularity"},
	[SIM_WAKE_PENDING] = {"wake_pending", "a new choice was due already"},
	[SIM_WAKE_DENIED_PROTECTED] = {"wake_denied_protected", "the running one is protected"},
	[SIM_WAKE_DENIED_LATER_DEADLINE] = {"wake_denied_later_deadline", "the running one has the earlier deadline"},
	[SIM_WAKE_DENIED_OTHER_BETTER] = {"wake_denied_other_better",
		"another waiting one is better than the woken one"},
	[SIM_WAKE_DENIED_INELIGIBLE] = {"wake_denied_ineligible", "the woken one has had more than its share"},
	[SIM_WAKE_DENIED_CLASS] = {"wake_denied_class", "the woken one is not of a kind that preempts here"},
	[SIM_WAKE_DENIED_GRANULARITY] = {"wake_denied_granularity", "the woken one is not far enough behind"},
	[SIM_WAKE_THROTTLED] = {"wake_throttled", "its group, class or reservation is used up for now"},
	[SIM_BLOCK] = {"block", "it went to sleep"},
	[SIM_BLOCK_DELAYED] = {"block_delayed", "it went to sleep in debt and stays queued until that is paid"},
	[SIM_DELAYED_DONE] = {"delayed_done", "the sleeper's debt is paid: it left the queue"},
	[SIM_YIELDED] = {"yield", "it yielded"},
	[SIM_EXITED] = {"exit", "it ended"},
	[SIM_THROTTLE] = {"throttle", "its group is out of quota"},
	[SIM_REFILL] = {"refill", "its group got quota again"},
	[SIM_CBS_THROTTLE] = {"cbs_throttle", "its reservation is used up"},
	[SIM_REPLENISH] = {"replenish", "a reservation was renewed"},
	[SIM_SERVER_ON] = {"server_on", "the fair server takes the CPU for fair tasks"},
	[SIM_SERVER_OFF] = {"server_off", "the fair server's budget is used up"},
	[SIM_RT_THROTTLE] = {"rt_throttle", "real-time tasks have had their share of this second"},
	[SIM_RT_RELEASE] = {"rt_release", "real-time tasks may run again"},
	[SIM_MIGRATE] = {"migrate", "it came from another CPU"},
	[SIM_DEMOTE] = {"demote", "its allotment at this level is used up"},
	[SIM_BOOST] = {"boost", "every task returns to the highest level"},
	[SIM_REFUSED] = {"refused", "admission refused the reservation"},
	[SIM_MISSED] = {"missed", "the deadline passed before the work was done"},
	[SIM_NICED] = {"set_nice", "its nice value changed"},
};
_Static_assert(sizeof reasons / sizeof *reasons == SIM_REASONS, "a name for each");

static const char *const points[] = {"", "at a tick", "at an exact timer", "at a wake-up", "at a queue change",
	"when it read its clock", "when it yielded", "at the end of its burst", "at a timer", "at a choice"};

/* kernel/sched/core.c, sched_prio_to_weight. */
static const int32_t weights[40] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620,
	6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70,
	56, 45, 36, 29, 23, 18, 15};

#define NAME(table, i) ((i) >= 0 && (size_t)(i) < sizeof(table) / sizeof *(table) ? (table)[i] : NULL)
#define FIELD(table, i, field) ((i) >= 0 && (size_t)(i) < sizeof(table) / sizeof *(table) ? (table)[i].field : NULL)

const char *sim_profile_name(int profile)
{
	return FIELD(profiles, profile, name);
}

const char *sim_profile_label(int profile)
{
	return FIELD(profiles, profile, label);
}

const char *sim_policy_name(int policy)
{
	return NAME(policies, policy);
}

const char *sim_code_name(int code)
{
	return NAME(codes, code);
}

const char *sim_reason_name(int reason)
{
	return FIELD(reasons, reason, name);
}

const char *sim_reason_text(int reason)
{
	return FIELD(reasons, reason, text);
}

const char *sim_point_text(int point)
{
	return NAME(points, point);
}

static bool same(const char *z, const char *name, size_t bytes)
{
	size_t i = 0;

	for (; i < bytes && z[i]; i++)
		if (z[i] != name[i])
			return false;
	return i == bytes && !z[i];
}

int sim_profile_find(const char *name, size_t bytes)
{
	for (int i = 0; i < SIM_PROFILES; i++)
		if (same(profiles[i].name, name, bytes))
			return i;
	return SIM_NONE;
}

int sim_task_find(const struct sim_scenario *scenario, const char *name, size_t bytes)
{
	for (int i = 0; i < scenario->n_tasks; i++)
		if (same(scenario->tasks[i].name, name, bytes))
			return i;
	return SIM_NONE;
}

uint32_t sim_random(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

int64_t sim_draw(const struct sim_op *op, uint32_t *state)
{
	return op->b > op->a ? op->a + (int64_t)sim_random(state) % (op->b - op->a) : op->a;
}

int32_t sim_nice_weight(int nice)
{
	return weights[nice < -20 ? 0 : nice > 19 ? 39 : nice + 20];
}
