/* cpu-count: how many CPUs there are depends on whom one asks, and under what: the whole machine, a mask, a cpuset, a
 * quota. A process of its own asks, so that nothing of it stays. Also who inherits a mask. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/groups.h"
#include "probe/harness.h"
#include "probe/linux.h"
#include "probe/sys.h"

enum { ARG_WHERE, ARG_MASK, ARG_WHO };
enum { ANYWHERE, IN_QUOTA, IN_CPUSET, NO_MASK = 0, MASK_ONE, MASK_ALL };
enum { MAIN, THREAD_OF_MAIN, THREAD_OF_WORKER, FORKED, EXECUTED };
enum { QUOTA_US = 50000, PERIOD_US = 100000 };

struct answers {
	int64_t affinity, online, configured, quota_milli;
};

static int64_t mask_count(pid_t tid)
{
	cpu_set_t set;

	return sched_getaffinity(tid, sizeof set, &set) == 0 ? CPU_COUNT(&set) : RUN_NULL;
}

/* The tightest from our group up to the root; RUN_NULL: none. */
static int64_t quota_milli(const struct probe_env *env)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct run_facts context = facts_context(&a, env);
	const struct run_fact *f = run_fact_get(&context, "cpu_quota_milli");
	int64_t quota = f && !f->text.len ? f->num : RUN_NULL;

	arena_free(&block);
	return quota;
}

static void *count_mask(void *to)
{
	*(int64_t *)to = mask_count(0);
	return NULL;
}

static int64_t mask_of_new_thread(void)
{
	pthread_t t;
	int64_t n = RUN_NULL;

	if (pthread_create(&t, NULL, count_mask, &n) == 0)
		pthread_join(t, NULL);
	return n;
}

struct worker {
	_Atomic bool go;
	int64_t seen;
};

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	while (!atomic_load(&w->go))
		clock_sleep(100000);
	w->seen = mask_of_new_thread();
	return NULL;
}

/* Of the program a child executes: it waits at a pipe until we have looked. */
static int64_t mask_after_exec(void)
{
	int started[2], hold[2];
	char byte;

	if (pipe2(started, O_CLOEXEC) != 0 || pipe2(hold, O_CLOEXEC) != 0)
		return RUN_NULL;
	pid_t child = fork();
	if (child == 0) {
		char *const argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"read x"}, NULL};
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(hold[0], STDIN_FILENO);
		execv("/bin/sh", argv);
		(void)!write(started[1], "x", 1);
		_exit(1);
	}
	close(started[1]);
	/* The pipe closes on exec; a byte means there was none. */
	int64_t n = child > 0 && read(started[0], &byte, 1) == 0 ? mask_count(child) : RUN_NULL;
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	close(started[0]);
	close(hold[0]);
	close(hold[1]);
	return n;
}

/* A worker is made, then the process's mask is set, by its id, then the worker makes a thread. */
static int64_t mask_through_worker(const struct probe_env *env)
{
	struct worker w = {.seen = RUN_NULL};
	pthread_t t;

	if (pthread_create(&t, NULL, worker_main, &w) != 0)
		return RUN_NULL;
	env_pin(env->cpu);
	atomic_store(&w.go, true);
	pthread_join(t, NULL);
	return w.seen;
}

/* `shared` is memory that a child shares with us. */
static int64_t mask_of_child(int64_t *shared)
{
	pid_t child = fork();

	if (child == 0) {
		*shared = mask_count(0);
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	return *shared;
}

static int64_t affinity_of(int who, int64_t *shared)
{
	switch (who) {
	case THREAD_OF_MAIN: return mask_of_new_thread();
	case FORKED: return mask_of_child(shared);
	case EXECUTED: return mask_after_exec();
	default: return mask_count(0);
	}
}

static _Noreturn void ask(
	const struct probe_env *env, const struct probe_case *c, struct answers *to, pid_t parent, int go)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || read(go, &byte, 1) != 1) /* until we are in our group */
		_exit(1);
	if (c->arg[ARG_WHO] == THREAD_OF_WORKER) {
		to->affinity = mask_through_worker(env);
	} else {
		if (c->arg[ARG_MASK] == MASK_ONE)
			env_pin(env->cpu);
		else if (c->arg[ARG_MASK] == MASK_ALL)
			env_unpin(env); /* succeeds inside a cpuset of one, and sets one */
		to->affinity = affinity_of(c->arg[ARG_WHO], &to->affinity);
	}
	to->online = sysconf(_SC_NPROCESSORS_ONLN);
	to->configured = sysconf(_SC_NPROCESSORS_CONF);
	to->quota_milli = quota_milli(env);
	_exit(0);
}

static bool put(const char *folder, const char *file, struct str text)
{
	char path[96];

	snprintf(path, sizeof path, "%s/%s", folder, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text.ptr, (size_t)text.len) == text.len;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* A cpuset of one CPU with that process in it. The guard removes the folder. */
static bool confine(struct probe_step *s, struct guard *g, pid_t pid)
{
	bool v1 = access("/sys/fs/cgroup/cpuset/cpuset.cpus", F_OK) == 0;
	const char *base = v1 ? "/sys/fs/cgroup/cpuset" : "/sys/fs/cgroup";
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	char cpu[16], folder[64], path[96], id[16];

	snprintf(cpu, sizeof cpu, "%d", s->env->cpu);
	snprintf(id, sizeof id, "%d", (int)pid);
	snprintf(folder, sizeof folder, "%s/runq-cpuset-%d", base, (int)pid);
	bool ok = guard_group(g, folder) && mkdir(folder, 0755) == 0;
	if (ok && v1)
		ok = put(folder, "cpuset.mems", sys_text(&a, "/sys/fs/cgroup/cpuset/cpuset.mems"));
	snprintf(path, sizeof path, "%s/cpuset.cpus", folder);
	ok = ok && put(folder, "cpuset.cpus", str_of(cpu)) && sys_int(path) == s->env->cpu &&
	     put(folder, "cgroup.procs", str_of(id));
	if (!ok)
		step_status(s, RUN_SKIPPED,
			"run it as root where cgroup v1, or the root's cgroup.subtree_control, has cpuset",
			"no cpuset of our own: %s", strerror(errno));
	arena_free(&block);
	return ok;
}

static void report(struct probe_step *s, const struct answers *to)
{
	if (to->affinity == RUN_NULL) {
		step_status(
			s, RUN_SKIPPED, "allow sched_getaffinity, threads and /bin/sh", "the question got no answer");
		return;
	}
	step_value(s, "affinity", to->affinity);
	step_value(s, "online", to->online);
	step_value(s, "configured", to->configured);
	if (to->quota_milli != RUN_NULL)
		step_value(s, "quota", to->quota_milli);
	step_outside(s, 1, 0); /* questions with one answer: no load changes them */
}

/* Puts the child where the case wants it, lets it ask, collects it, clears up. */
static void question(struct probe_step *s, const struct probe_case *c, struct answers *to)
{
	struct groups groups;
	struct guard guard;
	char byte = 'g';
	int where = c->arg[ARG_WHERE], go[2], status = 1;
	pid_t parent = getpid();

	if (where == IN_QUOTA && !groups_open(s, &groups, false))
		return;
	if (where == IN_CPUSET && !guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return;
	}
	int group = where == IN_QUOTA ? group_make(s, &groups) : -1;
	pid_t child = pipe2(go, O_CLOEXEC) == 0 ? fork() : -1;
	if (child == 0)
		ask(s->env, c, to, parent, go[0]);
	bool ok = child > 0;
	if (ok && where == IN_QUOTA)
		ok = group >= 0 && group_quota(s, &groups, group, QUOTA_US, PERIOD_US) &&
		     group_join(&groups, group, child);
	if (ok && where == IN_CPUSET)
		ok = confine(s, &guard, child);
	if (ok)
		ok = write(go[1], &byte, 1) == 1;
	if (child > 0) {
		if (!ok)
			kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			continue;
		close(go[0]);
		close(go[1]);
	}
	if (where == IN_QUOTA)
		groups_close(&groups);
	if (where == IN_CPUSET)
		guard_close(&guard);
	if (ok)
		report(s, to);
}

static void cpu_count_run(struct probe_step *s, const struct probe_case *c)
{
	struct answers *to = mmap(NULL, sizeof *to, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (to == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	*to = (struct answers){RUN_NULL, RUN_NULL, RUN_NULL, RUN_NULL};
	question(s, c, to);
	munmap(to, sizeof *to);
}

static const struct probe_case cases[] = {
	{"free", {ANYWHERE, NO_MASK, MAIN}},
	{"mask-one", {ANYWHERE, MASK_ONE, MAIN}},
	{"mask-one-thread", {ANYWHERE, MASK_ONE, THREAD_OF_MAIN}},
	{"mask-one-thread-of-worker", {ANYWHERE, MASK_ONE, THREAD_OF_WORKER}},
	{"mask-one-fork", {ANYWHERE, MASK_ONE, FORKED}},
	{"mask-one-exec", {ANYWHERE, MASK_ONE, EXECUTED}},
	{"quota-half", {IN_QUOTA, NO_MASK, MAIN}},
	{"cpuset-one", {IN_CPUSET, NO_MASK, MAIN}},
	{"cpuset-one-mask-all", {IN_CPUSET, MASK_ALL, MAIN}},
	{0},
};

const struct probe_ops cpu_count_ops = {
	.name = "cpu-count",
	.twin = "mask-one",
	.limit_ms = 30000,
	.cases = cases,
	.run = cpu_count_run,
};
