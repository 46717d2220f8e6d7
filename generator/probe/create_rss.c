/* create-rss: fork copies page tables, not pages. What fork, exit and wait cost when the parent has touched this much
 * memory more, in base pages or in huge ones; what the page tables weigh; what the first write to a shared page costs
 * the child. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"
#include "probe/sys.h"

enum { ARG_MIB, ARG_HUGE, ARG_HOW };
enum { FORK, VFORK, WRITE };
enum { MIB = 1 << 20, QUICK_MOST_MIB = 256, LEAST_OPS = 3, MOST_OPS = 500, PAGES_WRITTEN = 1000 };
static const int64_t quick_batch_ns = 12000000, full_batch_ns = 40000000, first_batch_ns = 2000000;

/* Written by the child, read by the parent; in shared memory. */
struct report {
	_Atomic int64_t write_ns;
};

static int64_t field_kib(const char *path, const char *key)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int64_t kib = sys_number(sys_field(sys_text(&a, path), key));

	arena_free(&block);
	return kib;
}

/* How much of the mapping that holds `at` is in huge pages. */
static int64_t huge_bytes(const void *at)
{
	static const char key[] = "AnonHugePages:";
	char line[256];
	uintptr_t want = (uintptr_t)at;
	int64_t sum = 0;
	bool inside = false;
	FILE *f = fopen("/proc/self/smaps", "re");

	if (!f)
		return RUN_NULL;
	while (fgets(line, sizeof line, f)) {
		char *end, *rest;
		uintptr_t lo = (uintptr_t)strtoull(line, &end, 16);
		if (end != line && *end == '-') {
			uintptr_t hi = (uintptr_t)strtoull(end + 1, &rest, 16);
			inside = want >= lo && want < hi;
		} else if (inside && strncmp(line, key, sizeof key - 1) == 0) {
			sum += strtoll(line + sizeof key - 1, NULL, 10) * 1024;
		}
	}
	(void)fclose(f);
	return sum;
}

/* A cgroup may allow less than the machine has. */
static int64_t memory_free(void)
{
	int64_t available = field_kib("/proc/meminfo", "MemAvailable");
	int64_t limits[] = {
		sys_int("/sys/fs/cgroup/memory.max"), sys_int("/sys/fs/cgroup/memory/memory.limit_in_bytes")};

	available = available == RUN_NULL ? INT64_MAX : available * 1024;
	for (int i = 0; i < 2; i++)
		if (limits[i] != RUN_NULL && limits[i] < available)
			available = limits[i];
	return available;
}

static _Noreturn void child_main(struct report *r, volatile char *memory, int64_t bytes, bool write)
{
	int64_t step = bytes / PAGES_WRITTEN / 4096 * 4096, began;

	if (write && memory) {
		began = clock_ns();
		for (int64_t i = 0; i < PAGES_WRITTEN; i++)
			memory[i * step] = 2;
		atomic_store(&r->write_ns, (clock_ns() - began) / PAGES_WRITTEN);
	}
	_exit(0);
}

static int make(const struct probe_case *c, struct report *r, char *memory)
{
	int64_t bytes = (int64_t)c->arg[ARG_MIB] * MIB;
	pid_t child;
	int status;

	if (c->arg[ARG_HOW] == VFORK) {
		child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork): its cost is the question
		if (child == 0)
			_exit(0);
	} else {
		child = fork();
		if (child == 0)
			child_main(r, memory, bytes, c->arg[ARG_HOW] == WRITE);
	}
	if (child < 0)
		return errno;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ECHILD;
}

static void measure(struct probe_step *s, const struct probe_case *c, struct report *r, char *memory)
{
	int64_t target = s->pass < 0 ? first_batch_ns : s->env->quick ? quick_batch_ns : full_batch_ns;
	int64_t n = 0, wall = 0, written = 0, began = 0;
	int err = make(c, r, memory);

	for (began = clock_ns(); !err && n < MOST_OPS && (n < LEAST_OPS || wall < target); n++) {
		err = make(c, r, memory);
		written += atomic_load(&r->write_ns);
		wall = clock_ns() - began;
	}
	if (err) {
		step_status(s, RUN_SKIPPED, "raise the limits of memory and processes, or overcommit_memory",
			"no new process beside %d MiB: %s", c->arg[ARG_MIB], strerror(err));
		return;
	}
	step_value(s, "wall", wall / n);
	if (c->arg[ARG_HOW] == WRITE)
		step_value(s, "write", written / n);
	int64_t tables = field_kib("/proc/self/status", "VmPTE");
	if (tables != RUN_NULL)
		step_value(s, "tables", tables * 1024);
	step_param(s, "ops", n);
}

/* Touches every page and checks what it became. Returns false when there is nothing to measure. */
static bool fill(struct probe_step *s, const struct probe_case *c, char *memory, int64_t bytes)
{
	int advice = c->arg[ARG_HUGE] ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;

	/* EINVAL: a kernel without huge pages, whose base pages are what we want. */
	if (bytes && madvise(memory, (size_t)bytes, advice) != 0 && c->arg[ARG_HUGE]) {
		step_status(s, RUN_SKIPPED, "measure on a kernel with CONFIG_TRANSPARENT_HUGEPAGE",
			"no transparent huge pages: %s", strerror(errno));
		return false;
	}
	for (int64_t i = 0; i < bytes; i += 4096)
		((volatile char *)memory)[i] = 1;
	int64_t huge = bytes ? huge_bytes(memory) : 0;
	if (huge != RUN_NULL)
		step_value(s, "huge", huge);
	if (!c->arg[ARG_HUGE] || huge == RUN_NULL || huge > bytes / 10 * 9)
		return true;
	if (huge == 0) {
		step_status(s, RUN_SKIPPED, "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
			"the kernel gave no huge page: transparent huge pages are off, or memory is in pieces");
		return false;
	}
	step_status(s, RUN_DEGRADED, "run it again after a reboot: memory is in pieces",
		"only %d MiB are in huge pages", (int)(huge / MIB));
	return true;
}

static void create_rss_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t bytes = (int64_t)c->arg[ARG_MIB] * MIB;

	if (s->env->quick && c->arg[ARG_MIB] > QUICK_MOST_MIB) {
		step_status(
			s, RUN_SKIPPED, "run it without --quick", "quick: filling %d MiB takes long", c->arg[ARG_MIB]);
		return;
	}
	if (bytes && memory_free() < bytes * 2) {
		step_status(s, RUN_SKIPPED, "free some memory, or raise the container's limit",
			"less than %d MiB of memory are free", 2 * c->arg[ARG_MIB]);
		return;
	}
	if (!env_pin(s->env->cpu)) {
		step_status(s, RUN_SKIPPED, "allow sched_setaffinity", "cannot pin to one CPU: %s", strerror(errno));
		return;
	}
	struct report *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *memory =
		bytes ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;
	if (r == MAP_FAILED || memory == MAP_FAILED) {
		step_status(s, RUN_SKIPPED, "free some memory", "no memory: %s", strerror(errno));
		return;
	}
	step_param(s, "bytes", bytes);
	step_param(s, "page_bytes", sysconf(_SC_PAGESIZE));
	if (fill(s, c, memory, bytes))
		measure(s, c, r, memory);
	if (memory)
		munmap(memory, (size_t)bytes);
	munmap(r, sizeof *r);
}

static const struct probe_case cases[] = {
	{"0", {0}},
	{"1m", {1}},
	{"16m", {16}},
	{"64m", {64}},
	{"256m", {256}},
	{"1g", {1024}},
	{"64m-huge", {64, true}},
	{"256m-huge", {256, true}},
	{"1g-huge", {1024, true}},
	{"64m-vfork", {64, false, VFORK}},
	{"64m-write", {64, false, WRITE}},
	{"64m-huge-write", {64, true, WRITE}},
	{0},
};

const struct probe_ops create_rss_ops = {
	.name = "create-rss",
	.twin = "64m",
	.limit_ms = 60000,
	.cases = cases,
	.run = create_rss_run,
};
