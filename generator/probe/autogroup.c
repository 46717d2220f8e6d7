/* autogroup: with it, the kernel first shares a CPU among sessions and only then, inside each, by nice. So a nice value
 * does not reach across sessions, a session with two spinners gets no more than one with one, and a session has a nice
 * value of its own. */
#include <stdio.h>

#include "probe/stage.h"
#include "probe/sys.h"

enum { ARG_SESSIONS, ARG_NICE2, ARG_GROUP_NICE, ARG_THIRD };

/* A nice 5 beside a nice 0 has a turn in (1024 + 335) / 335 of them; one of three, two of them in one group, in 4. */
enum { ROUND_QUANTA = 4, ROUNDS_QUICK = 8, ROUNDS_FULL = 24, SPINNERS_MAX = 3 };
/* A session's weight on a CPU follows where its load was lately: let that fade. */
static const int64_t settle_ns = 40000000;

/* Autogroups count for tasks whose cpu cgroup is the root. */
static bool in_root_group(void)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str groups = sys_text(&a, "/proc/self/cgroup");
	bool root = true;

	while (groups.len) {
		struct str rest, path, line = str_line(groups, &groups), id = str_cut(line, ':', &rest);
		struct str controllers = str_cut(rest, ':', &path);
		if (str_eq(controllers, STR("cpu")) || str_starts(controllers, STR("cpu,")) ||
			str_ends(controllers, STR(",cpu")))
			root &= path.len <= 1;
		/* v2: only below a parent that hands out the controller is there a group of its own. */
		while (str_eq(id, STR("0")) && path.len > 1) {
			struct arena scratch = a;
			root &= sys_int(str_z(&scratch, str_printf(&scratch, "/sys/fs/cgroup%.*s/cpu.weight",
								STR_FMT(path)))) == RUN_NULL;
			while (path.len > 1 && path.ptr[path.len - 1] != '/')
				path.len--;
			path.len -= path.len > 1;
		}
	}
	arena_free(&block);
	return root;
}

static bool possible(struct probe_step *s, const struct probe_case *c)
{
	int64_t on = sys_int("/proc/sys/kernel/sched_autogroup_enabled");

	step_param(s, "autogroup", on == 1);
	if (!c->arg[ARG_SESSIONS])
		return true;
	if (on != 1)
		step_status(s, RUN_SKIPPED,
			"sysctl kernel.sched_autogroup_enabled=1, or a kernel with CONFIG_SCHED_AUTOGROUP",
			"autogroup is %s: sessions are no groups here", on == 0 ? "off" : "not in this kernel");
	else if (!in_root_group())
		step_status(s, RUN_SKIPPED, "run it from a process in the root of the cpu controller",
			"our cgroup has a cpu weight of its own: it is the group, the session is not");
	else
		return true;
	return false;
}

static void measure(struct probe_step *s, struct stage *st)
{
	static const char *const shares[SPINNERS_MAX] = {"share1", "share2", "share3"};
	int64_t window = s->env->quantum_ns * ROUND_QUANTA * (s->env->quick ? ROUNDS_QUICK : ROUNDS_FULL), sum = 0;

	if (!stage_start(s, st, settle_ns))
		return;
	stage_watch(st, s->pass < 0 ? window / 4 : window);
	for (int i = 0; i < st->n && i < SPINNERS_MAX; i++) {
		step_value(s, shares[i], stage_share(st, i));
		sum += st->actors[i].cpu_ns;
	}
	step_outside(s, st->wall_ns, st->wall_ns - sum);
	step_param(s, "window_ms", window / 1000000);
}

static void autogroup_run(struct probe_step *s, const struct probe_case *c)
{
	struct actor_spec first = {.cpu = s->env->cpu, .own_session = c->arg[ARG_SESSIONS]}, second = first;

	if (!possible(s, c))
		return;
	struct stage *st = stage_open(s);
	if (!st)
		return;
	second.nice = c->arg[ARG_NICE2];
	second.autogroup_nice = c->arg[ARG_GROUP_NICE];
	/* With a third spinner, second and third stay in this process's session. */
	second.own_session &= !c->arg[ARG_THIRD];
	if (stage_add(s, st, first) && stage_add(s, st, second) && (!c->arg[ARG_THIRD] || stage_add(s, st, second)))
		measure(s, st);
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"one-session", {false, 5}},
	{"two-sessions", {true, 5}},
	{"two-sessions-group-nice", {true, 0, 5}},
	{"one-against-two", {true, 0, 0, true}},
	{0},
};

const struct probe_ops autogroup_ops = {
	.name = "autogroup",
	.twin = "two-sessions",
	.limit_ms = 30000,
	.cases = cases,
	.run = autogroup_run,
};
