/* The machine's facts: those of the whitelist run_config_keys, which make its identity, and some beside them. Every
 * one is readable without privilege; none names a person, a host, a path or an address. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#include "base/buf.h"
#include "probe/facts_machine.h"
#include "probe/harness.h"
#include "probe/sys.h"

/* Folds the first CPU's fields of both families of names: x86 and Arm. */
static void cpu_facts(struct run_facts *f, struct arena *a, struct arena scratch)
{
	struct str info = sys_text(&scratch, "/proc/cpuinfo");
	struct str vendor = sys_field(info, "vendor_id"), model = sys_field(info, "model name");
	struct str stepping = sys_field(info, "stepping"), family = sys_field(info, "cpu family");

	if (!vendor.len)
		vendor = sys_field(info, "CPU implementer");
	if (!model.len)
		model = sys_field(info, "CPU part");
	if (!stepping.len)
		stepping = sys_field(info, "CPU revision");
	if (!family.len)
		family = sys_field(info, "CPU architecture");
	fact_text(f, a, "cpu_vendor", vendor);
	fact_text(f, a, "cpu_model", model);
	fact_num(f, a, "cpu_family", sys_number(family));
	fact_num(f, a, "cpu_model_id", sys_number(sys_field(info, "model")));
	fact_num(f, a, "cpu_stepping", sys_number(stepping));
	fact_text(f, a, "microcode", sys_field(info, "microcode"));
}

static int64_t leader_of(int cpu, const char *list, struct arena scratch)
{
	char path[96];

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, list);
	return sys_number(sys_text(&scratch, path));
}

static void topology_facts(struct run_facts *f, struct arena *a, struct arena scratch)
{
	struct str list = sys_text(&scratch, "/sys/devices/system/cpu/online");
	int threads = 0, cores = 0, packages = 0;

	while (list.len) {
		struct str to, part = str_cut(list, ',', &list);
		int64_t lo = sys_number(str_cut(part, '-', &to)), hi = to.ptr ? sys_number(to) : lo;
		for (int64_t cpu = lo; cpu >= 0 && cpu <= hi; cpu++) {
			threads++;
			cores += leader_of((int)cpu, "thread_siblings_list", scratch) == cpu;
			packages += leader_of((int)cpu, "core_siblings_list", scratch) == cpu;
		}
	}
	fact_num(f, a, "cpus_online", threads ? threads : sysconf(_SC_NPROCESSORS_ONLN));
	if (cores)
		fact_text(f, a, "topology",
			str_printf(&scratch, "%d package%s, %d core%s, %d thread%s", packages, packages == 1 ? "" : "s",
				cores, cores == 1 ? "" : "s", threads, threads == 1 ? "" : "s"));
	else
		fact_text(f, a, "topology", (struct str){0});
	/* Rounded, because the kernel keeps some for itself and how much differs between builds. */
	int64_t kib = sys_number(sys_field(sys_text(&scratch, "/proc/meminfo"), "MemTotal"));
	fact_num(f, a, "ram_gib", kib == RUN_NULL ? RUN_NULL : (kib + (1 << 19)) >> 20);
}

#if defined __x86_64__ || defined __i386__
/* Signatures of CPUID leaf 0x40000000, as their makers document them. */
static struct str hypervisor_name(struct str signature)
{
	static const char *const known[][2] = {{"KVMKVMKVM", "kvm"}, {"TCGTCGTCGTCG", "qemu"}, {"VMwareVMware", "vmware"},
		{"Microsoft Hv", "hyper-v"}, {"XenVMMXenVMM", "xen"}, {"bhyve bhyve", "bhyve"}, {"VBoxVBoxVBox", "virtualbox"}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(signature, str_of(known[i][0])))
			return str_of(known[i][1]);
	return signature;
}
#endif

/* The hypervisor where the CPU can be asked, by its usual name if that is known, else the firmware's maker. */
static struct str virt_name(struct arena *scratch)
{
#if defined __x86_64__ || defined __i386__
	unsigned regs[4] = {0};
	if (__get_cpuid(1, &regs[0], &regs[1], &regs[2], &regs[3]) && !(regs[2] >> 31 & 1))
		return STR("none");
	char name[13] = {0};
	__cpuid(0x40000000, regs[0], regs[1], regs[2], regs[3]);
	memcpy(name, &regs[1], 12);
	struct str cut = str_of(name);
	for (ptrdiff_t i = 0; i < cut.len; i++)
		if (cut.ptr[i] < ' ' || cut.ptr[i] > '~')
			cut.len = i;
	if (cut.len)
		return str_copy(scratch, hypervisor_name(str_trim(cut)));
#endif
	struct str type = sys_text(scratch, "/sys/hypervisor/type");
	return type.len ? type : sys_text(scratch, "/sys/class/dmi/id/sys_vendor");
}

/* The version line tells the kind of preemption the kernel was built with; what PREEMPT_DYNAMIC chose, root only sees. */
static struct str preempt_kind(struct str version)
{
	return str_find(version, STR("PREEMPT_RT")) >= 0	? STR("rt")
	       : str_find(version, STR("PREEMPT_DYNAMIC")) >= 0 ? STR("dynamic")
	       : str_find(version, STR("PREEMPT")) >= 0		? STR("full")
								: STR("none or voluntary");
}

/* Under cgroup v1 a file tells; elsewhere the kernel's configuration, if it lies open. */
static struct str rt_group_sched(struct arena scratch, const char *release)
{
	if (access("/sys/fs/cgroup/cpu/cpu.rt_runtime_us", F_OK) == 0)
		return STR("yes");
	if (access("/sys/fs/cgroup/cpu/cpu.shares", F_OK) == 0)
		return STR("no");
	struct str config = sys_text(&scratch, str_z(&scratch, str_printf(&scratch, "/boot/config-%s", release)));
	if (!config.len)
		return (struct str){0};
	return str_find(config, STR("\nCONFIG_RT_GROUP_SCHED=y")) >= 0 ? STR("yes") : STR("no");
}

static void kernel_facts(struct run_facts *f, struct arena *a, struct arena scratch, const struct probe_env *env)
{
	struct utsname u;

	if (uname(&u) != 0)
		memset(&u, 0, sizeof u);
	fact_text(f, a, "arch", str_of(u.machine));
	fact_text(f, a, "virt", virt_name(&scratch));
	fact_text(f, a, "kernel_release", str_of(u.release));
	fact_num(f, a, "hz", (1000000000 + env->tick_ns / 2) / env->tick_ns);
	fact_text(f, a, "preempt", preempt_kind(str_of(u.version)));
	fact_text(f, a, "rt_group_sched", rt_group_sched(scratch, u.release));
	fact_num(f, a, "autogroup", sys_int("/proc/sys/kernel/sched_autogroup_enabled"));
	fact_num(f, a, "sched_rt_period_us", sys_int("/proc/sys/kernel/sched_rt_period_us"));
	fact_num(f, a, "sched_rt_runtime_us", sys_int("/proc/sys/kernel/sched_rt_runtime_us"));
	fact_text(f, a, "clocksource",
		sys_text(&scratch, "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
	struct str thp = sys_text(&scratch, "/sys/kernel/mm/transparent_hugepage/enabled"), rest;
	str_cut(thp, '[', &rest);
	fact_text(f, a, "thp", str_cut(rest, ']', &thp));
}

static struct str cpuidle_text(struct arena *scratch)
{
	struct buf b = buf_new(scratch);
	struct str driver = sys_text(scratch, "/sys/devices/system/cpu/cpuidle/current_driver");
	struct str governor = sys_text(scratch, "/sys/devices/system/cpu/cpuidle/current_governor_ro");

	if (!governor.len)
		governor = sys_text(scratch, "/sys/devices/system/cpu/cpuidle/current_governor");
	buf_printf(&b, "%.*s, %.*s", STR_FMT(driver), STR_FMT(governor));
	for (int i = 0; i < 10; i++) {
		const char *dir =
			str_z(scratch, str_printf(scratch, "/sys/devices/system/cpu/cpu0/cpuidle/state%d", i));
		struct str name = sys_text(scratch, str_z(scratch, str_printf(scratch, "%s/name", dir)));
		int64_t latency = sys_int(str_z(scratch, str_printf(scratch, "%s/latency", dir)));
		if (name.len && latency != RUN_NULL)
			buf_printf(&b, ", %.*s %lld us", STR_FMT(name), (long long)latency);
	}
	return driver.len ? buf_str(&b) : STR("none");
}

static void add_names(struct buf *b, const char *heading, struct str kind, struct arena scratch)
{
	static const char *const names[] = {"meltdown", "spectre_v1", "spectre_v2", "spec_store_bypass", "l1tf", "mds",
		"itlb_multihit", "tsx_async_abort", "srbds", "mmio_stale_data", "retbleed", "spec_rstack_overflow",
		"gather_data_sampling", "reg_file_data_sampling", "indirect_target_selection", "tsa", "vmscape"};
	bool any = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[96];
		struct arena mark = scratch;
		snprintf(path, sizeof path, "/sys/devices/system/cpu/vulnerabilities/%s", names[i]);
		if (!str_starts(sys_text(&mark, path), kind))
			continue;
		if (!any)
			buf_printf(b, "%s%s", b->len ? "; " : "", heading);
		buf_printf(b, " %s", names[i]);
		any = true;
	}
}

/* What is mitigated or exposed, by the file's first word: the details change with microcode. */
static struct str mitigations_text(struct arena *a, struct arena scratch)
{
	struct buf b = buf_new(a);

	add_names(&b, "mitigated:", STR("Mitigation"), scratch);
	add_names(&b, "exposed:", STR("Vulnerable"), scratch);
	return b.len ? buf_str(&b) : STR("none needed");
}

static struct str sched_ext_text(struct arena *scratch)
{
	struct str state = sys_text(scratch, "/sys/kernel/sched_ext/state");
	struct str ops = sys_text(scratch, "/sys/kernel/sched_ext/root/ops");

	return !state.len ? STR("none") : ops.len ? ops : state;
}

static struct str cgroup_version(void)
{
	return access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0		? STR("v2")
	       : access("/sys/fs/cgroup/unified/cgroup.controllers", F_OK) == 0 ? STR("hybrid")
	       : access("/sys/fs/cgroup/cpu", F_OK) == 0			? STR("v1")
										: STR("none");
}

struct str cmdline_value(struct str cmdline, const char *name)
{
	struct str key = str_of(name), found = STR("none");

	if (!cmdline.len)
		return (struct str){0};
	for (int i = 0;; i++) {
		struct str word = sys_word(cmdline, i), value;
		if (!word.len)
			return found;
		if (str_eq(str_cut(word, '=', &value), key))
			found = value.len ? value : STR("yes");
	}
}

struct run_facts facts_machine(struct arena *a, const struct probe_env *env)
{
	struct run_facts f = {0};
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);

	cpu_facts(&f, a, scratch);
	topology_facts(&f, a, scratch);
	kernel_facts(&f, a, scratch, env);
	fact_text(&f, a, "cpuidle", cpuidle_text(&scratch));
	fact_text(&f, a, "mitigations", mitigations_text(a, scratch));
	fact_text(&f, a, "sched_ext", sched_ext_text(&scratch));
	fact_text(&f, a, "cgroup", cgroup_version());
	struct str cmdline = sys_text(&scratch, "/proc/cmdline");
	fact_text(&f, a, "cmdline_isolcpus", cmdline_value(cmdline, "isolcpus"));
	fact_text(&f, a, "cmdline_nohz_full", cmdline_value(cmdline, "nohz_full"));
	fact_text(&f, a, "cmdline_rcu_nocbs", cmdline_value(cmdline, "rcu_nocbs"));
	fact_text(&f, a, "cmdline_preempt", cmdline_value(cmdline, "preempt"));
	fact_text(&f, a, "cmdline_threadirqs", cmdline_value(cmdline, "threadirqs"));
	arena_free(&block);
	return f;
}
