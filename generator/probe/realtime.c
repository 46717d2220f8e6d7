#include "probe/realtime.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/sys.h"

enum { WATCHDOG_PRIORITY = 99 };
static const int64_t grace_ns = 200000000, asleep_ns = 2000000;
static const char rt_runtime_path[] = "/proc/sys/kernel/sched_rt_runtime_us";
static const char rt_period_path[] = "/proc/sys/kernel/sched_rt_period_us";

bool kernel_at_least(int major, int minor)
{
	struct utsname u;
	struct str rest;

	if (uname(&u) != 0)
		return false;
	int64_t have = sys_number(str_cut(str_of(u.release), '.', &rest));
	return have > major || (have == major && sys_number(rest) >= minor);
}

enum suspicion { NOT_SO, POSSIBLE, CERTAIN };

/* Was the kernel built with real-time groups? Under cgroup v1 a file tells, else its configuration if it lies open. */
static enum suspicion rt_groups(struct arena scratch)
{
	struct utsname u;
	char path[sizeof u.release + 16];

	if (access("/sys/fs/cgroup/cpu/cpu.rt_runtime_us", F_OK) == 0)
		return CERTAIN;
	if (uname(&u) != 0)
		return POSSIBLE;
	snprintf(path, sizeof path, "/boot/config-%s", u.release);
	struct str config = sys_text(&scratch, path);
	if (!config.len)
		return POSSIBLE;
	return str_find(config, STR("\nCONFIG_RT_GROUP_SCHED=y")) >= 0 ? CERTAIN : NOT_SO;
}

/* Is our own group, or the one of the step, without real-time bandwidth? Under v2 none but the root has any; the root of a
 * container's cgroup namespace is called "/" too, but has a type, which the true root has not. */
static enum suspicion group_forbids(const struct groups *g, struct arena scratch)
{
	struct str groups = sys_text(&scratch, "/proc/self/cgroup"), path = group_own_path(groups, false);
	enum suspicion built = rt_groups(scratch);

	if (g || built == NOT_SO)
		return built;
	struct str file = str_printf(&scratch, "/sys/fs/cgroup/cpu%.*s/cpu.rt_runtime_us", STR_FMT(path));
	if (path.len)
		return sys_int(str_z(&scratch, file)) == 0 ? built : NOT_SO;
	path = group_own_path(groups, true);
	return path.len > 1 || access("/sys/fs/cgroup/cgroup.type", F_OK) == 0 ? built : NOT_SO;
}

void realtime_refused(struct probe_step *s, const char *call, int policy, int err, const struct groups *g)
{
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	const char *name = err == EPERM ? "EPERM" : err == EBUSY ? "EBUSY" : err == EINVAL ? "EINVAL" : strerror(err);
	struct rlimit limit = {0};
	int64_t seccomp = sys_number(sys_field(sys_text(&scratch, "/proc/self/status"), "Seccomp"));
	bool denied = err == EPERM;
	enum suspicion group = denied && policy != SCHED_DEADLINE ? group_forbids(g, scratch) : NOT_SO;

	getrlimit(RLIMIT_RTPRIO, &limit);
	if (denied && !sys_cap_sys_nice() && (limit.rlim_cur == 0 || policy == SCHED_DEADLINE))
		step_status(s, RUN_SKIPPED,
			policy == SCHED_DEADLINE ? "run it as root" : "run it as root, or allow it with ulimit -r 99",
			"%s=%s: no CAP_SYS_NICE%s", call, name,
			policy == SCHED_DEADLINE ? "" : ", and RLIMIT_RTPRIO is 0");
	else if (group == CERTAIN)
		step_status(s, RUN_SKIPPED,
			"run it in the root group, or give the group cpu.rt_runtime_us (v1), or boot with "
			"rt_group_sched=0",
			"%s=%s: RT_GROUP_SCHED, and the cgroup has no real-time bandwidth (cpu.rt_runtime_us is 0)",
			call, name);
	else if (denied && policy == SCHED_DEADLINE)
		step_status(s, RUN_SKIPPED, "allow every CPU: taskset, cpuset, isolcpus",
			"%s=%s: the affinity is smaller than the root domain, as a reservation forbids", call, name);
	else if (group == POSSIBLE)
		step_status(s, RUN_SKIPPED, "run it in the root group, outside the container",
			"%s=%s: possibly RT_GROUP_SCHED, for the cgroup is not the root%s", call, name,
			seccomp > 0 ? "; or seccomp, which is in force" : "");
	else if (denied && seccomp > 0)
		step_status(s, RUN_SKIPPED, "run it outside the container",
			"%s=%s: possibly seccomp, which is in force", call, name);
	else
		step_status(s, RUN_SKIPPED, "a security module may forbid it", "%s=%s: cause unknown", call, name);
	arena_free(&block);
}

int64_t realtime_period_ns(void)
{
	int64_t us = sys_int(rt_period_path);

	return us > 0 ? us * 1000 : 1000000000;
}

int64_t realtime_ppm(void)
{
	int64_t us = sys_int(rt_runtime_path);

	return us >= 0 ? us * 1000000000 / realtime_period_ns() : 1000000;
}

/* 0 only where it can be read and says so. */
static bool fair_server_off(int cpu)
{
	char path[80], text[32] = {0};

	snprintf(path, sizeof path, "/sys/kernel/debug/sched/fair_server/cpu%d/runtime", cpu);
	FILE *f = fopen(path, "re");
	if (!f)
		return false;
	size_t n = fread(text, 1, sizeof text - 1, f);
	(void)fclose(f);
	return n > 0 && sys_number((struct str){text, (ptrdiff_t)n}) == 0;
}

int realtime_cpu(const struct probe_env *env)
{
	return env->other;
}

bool realtime_safe(struct probe_step *s)
{
	int64_t runtime = sys_int(rt_runtime_path), period = sys_int(rt_period_path);
	bool server = kernel_at_least(6, 12), throttling = runtime > 0 && period > 0 && runtime < period;

	if (s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here: nothing could stop a real-time spinner on it");
		return false;
	}
	if (!throttling && !server) {
		step_status(s, RUN_REFUSED, "sysctl kernel.sched_rt_runtime_us=950000",
			"RT throttling is off (sched_rt_runtime_us=%lld of %lld): a spinner would take the CPU whole",
			(long long)(runtime == RUN_NULL ? 0 : runtime), (long long)(period == RUN_NULL ? 0 : period));
		return false;
	}
	if (server && fair_server_off(realtime_cpu(s->env))) {
		step_status(s, RUN_REFUSED, "give the fair server of that CPU its runtime back (debugfs)",
			"the fair server is off: a spinner could take the CPU whole");
		return false;
	}
	return true;
}

pid_t watchdog_over(const struct probe_env *env, int64_t until_ns, const pid_t *pids, int n, struct guard *guard)
{
	struct sched_param param = {.sched_priority = WATCHDOG_PRIORITY};
	pid_t parent = getpid(), child = fork();

	if (child < 0)
		return -1;
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent || !env_pin(env->cpu))
			_exit(1);
		clock_sleep(until_ns + grace_ns - clock_ns());
		for (int i = 0; i < n; i++)
			kill(pids[i], SIGKILL);
		_exit(0);
	}
	guard_pid(guard, child);
	/* While it sleeps, for its own turns would start the period that the kernel throttles by. */
	clock_sleep(asleep_ns);
	if (linux_policy_set(child, SCHED_FIFO, &param) == 0)
		return child;
	int err = errno;
	watchdog_stop(child);
	errno = err;
	return -1;
}

pid_t watchdog_start(const struct probe_env *env, const struct hogs *h, struct guard *guard)
{
	pid_t pids[HOGS_MAX];

	for (int i = 0; i < h->n; i++)
		pids[i] = h->hogs[i].pid;
	return watchdog_over(env, h->until_ns, pids, h->n, guard);
}

void watchdog_stop(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}
