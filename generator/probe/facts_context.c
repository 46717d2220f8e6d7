/* The facts of one run: limits, rights and settings it ran under. They do not identify the machine. */
#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/sha256.h"
#include "probe/harness.h"
#include "probe/sys.h"

static int64_t limit_of(int which)
{
	struct rlimit r;

	return getrlimit(which, &r) != 0 ? RUN_NULL : r.rlim_cur == RLIM_INFINITY ? -1 : (int64_t)r.rlim_cur;
}

static void rights(struct run_facts *f, struct arena *a, struct arena scratch)
{
	struct str status = sys_text(&scratch, "/proc/self/status");

	fact_num(f, a, "root", geteuid() == 0);
	fact_text(f, a, "cap_eff", sys_field(status, "CapEff"));
	fact_num(f, a, "cap_sys_nice", sys_cap_sys_nice());
	fact_num(f, a, "no_new_privs", sys_number(sys_field(status, "NoNewPrivs")));
	fact_num(f, a, "seccomp", sys_number(sys_field(status, "Seccomp")));
	fact_text(f, a, "affinity", sys_field(status, "Cpus_allowed_list"));
	fact_num(f, a, "rlimit_nice", limit_of(RLIMIT_NICE));
	fact_num(f, a, "rlimit_rtprio", limit_of(RLIMIT_RTPRIO));
	fact_num(f, a, "rlimit_rttime_us", limit_of(RLIMIT_RTTIME));
	fact_num(f, a, "rlimit_nproc", limit_of(RLIMIT_NPROC));
	errno = 0;
	int nice = getpriority(PRIO_PROCESS, 0);
	fact_num(f, a, "nice", nice == -1 && errno ? RUN_NULL : nice);
	fact_num(f, a, "timer_slack_ns", prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	fact_num(f, a, "aslr", sys_int("/proc/sys/kernel/randomize_va_space"));
}

/* Thousandths of a CPU that one cgroup's folder allows; RUN_NULL when it sets no limit. */
static int64_t quota_of(struct arena scratch, struct str folder, bool v2)
{
	struct str quota, period;

	if (v2) {
		struct str max =
			sys_text(&scratch, str_z(&scratch, str_printf(&scratch, "%.*s/cpu.max", STR_FMT(folder))));
		quota = sys_word(max, 0);
		period = sys_word(max, 1);
	} else {
		quota = sys_text(
			&scratch, str_z(&scratch, str_printf(&scratch, "%.*s/cpu.cfs_quota_us", STR_FMT(folder))));
		period = sys_text(
			&scratch, str_z(&scratch, str_printf(&scratch, "%.*s/cpu.cfs_period_us", STR_FMT(folder))));
	}
	int64_t q = sys_number(quota), p = sys_number(period);
	return q == RUN_NULL || q < 0 || p == RUN_NULL || p <= 0 ? RUN_NULL : q * 1000 / p;
}

/* Our group's folder below the controller's mount, v2 or v1. */
static struct str own_group(struct str groups, bool v2)
{
	while (groups.len) {
		struct str rest, line = str_line(groups, &groups);
		struct str id = str_cut(line, ':', &rest), path, controllers = str_cut(rest, ':', &path);
		if (v2 ? str_eq(id, STR("0")) && !controllers.len
		       : str_eq(sys_word(controllers, 0), STR("cpu")) || str_starts(controllers, STR("cpu,")) ||
					str_ends(controllers, STR(",cpu")))
			return path;
	}
	return (struct str){0};
}

/* The tightest limit from our cgroup up to the root; the path itself is not recorded. */
static void quota(struct run_facts *f, struct arena *a, struct arena scratch)
{
	bool v2 = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
	struct str mount = v2 ? STR("/sys/fs/cgroup") : STR("/sys/fs/cgroup/cpu");
	struct str path = own_group(sys_text(&scratch, "/proc/self/cgroup"), v2);
	int64_t least = INT64_MAX;
	int depth = 0;

	for (;; depth++) {
		struct arena mark = scratch;
		struct str folder = str_printf(&mark, "%.*s%.*s", STR_FMT(mount), STR_FMT(path));
		int64_t q = quota_of(mark, folder, v2);
		least = q != RUN_NULL && q < least ? q : least;
		while (path.len && path.ptr[path.len - 1] != '/')
			path.len--;
		if (path.len <= 1)
			break;
		path.len--;
	}
	fact_num(f, a, "cgroup_depth", depth);
	if (least == INT64_MAX)
		fact_text(f, a, "cpu_quota_milli", STR("none"));
	else
		fact_num(f, a, "cpu_quota_milli", least);
}

static void power(struct run_facts *f, struct arena *a, struct arena scratch, int cpu)
{
	char path[96];
	static const char *const keys[] = {"governor", "scaling_governor", "epp", "energy_performance_preference"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i += 2) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, keys[i + 1]);
		fact_text(f, a, keys[i], sys_text(&scratch, path));
	}
	int64_t boost = sys_int("/sys/devices/system/cpu/cpufreq/boost");
	int64_t no_turbo = sys_int("/sys/devices/system/cpu/intel_pstate/no_turbo");
	fact_num(f, a, "boost", boost != RUN_NULL ? boost : no_turbo != RUN_NULL ? !no_turbo : RUN_NULL);
	fact_num(f, a, "on_mains", sys_int("/sys/class/power_supply/AC/online"));
}

/* Runs of one boot share its luck: a hash tells them apart without telling the boot's identifier. */
static void session(struct run_facts *f, struct arena *a, struct arena scratch)
{
	struct str boot = sys_text(&scratch, "/proc/sys/kernel/random/boot_id");
	unsigned char hash[SHA256_BYTES];
	char hex[16];

	sha256_of(str_printf(&scratch, "runq-session/1\n%.*s", STR_FMT(boot)), hash);
	sha256_hex(hash, sizeof hex / 2, hex);
	fact_text(f, a, "session", boot.len ? (struct str){hex, sizeof hex} : (struct str){0});
}

struct run_facts facts_context(struct arena *a, const struct probe_env *env)
{
	struct run_facts f = {0};
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	bool container =
		access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 || getenv("container");

	rights(&f, a, scratch);
	quota(&f, a, scratch);
	power(&f, a, scratch, env->cpu);
	session(&f, a, scratch);
	fact_num(&f, a, "container", container);
	fact_num(&f, a, "tick_ns", env->tick_ns);
	fact_num(&f, a, "quantum_ns", env->quantum_ns);
	fact_num(&f, a, "clock_cost_ns", env->clock_cost_ns);
	fact_num(&f, a, "cpus_allowed", env->n_cpus);
	fact_num(&f, a, "partner_is_smt_sibling", env->other_is_sibling);
	arena_free(&block);
	return f;
}
