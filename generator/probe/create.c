/* create: what a new thread or process costs. Two ladders, without exec (200 operations a batch at least) and with it
 * (50): each operation makes a task, lets it end and collects it. Maker and made share one CPU, except in *-free. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"
#include "probe/noop.h"
#include "probe/sys.h"

enum op { OP_THREAD, OP_VFORK, OP_FORK, OP_SPAWN, OP_VFORK_EXEC, OP_FORK_EXEC };
enum program { PROGRAM_NONE, PROGRAM_NOOP, PROGRAM_TRUE };
enum { ARG_OP, ARG_PROGRAM, ARG_FREE };

enum {
	BATCH_NO_EXEC = 200,
	BATCH_EXEC = 50,
	WARM_UPS = 10, /* fills glibc's cache of thread stacks */
	QUICK_NS = 20000000, /* a batch takes at least this */
	FULL_NS = 100000000,
	/* A pinned maker and its tasks keep their CPU busy; what the exit of a task costs after it was collected belongs to
	 * nobody's account, hence the allowance. */
	UNACCOUNTED_PER_CENT = 10,
};

static const char true_path[] = "/bin/true";
extern char **environ;

static void *thread_main(void *arg)
{
	return arg;
}

static int make_thread(void)
{
	pthread_t t;
	int err = pthread_create(&t, NULL, thread_main, NULL);

	return err ? err : pthread_join(t, NULL);
}

static int collect(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ENOEXEC;
}

/* `path` NULL: the child ends at once. */
static int make_fork(const char *path)
{
	char name[] = "noop", *const argv[] = {name, NULL};
	pid_t child = fork();

	if (child < 0)
		return errno;
	if (child == 0) {
		if (path)
			execve(path, argv, environ);
		_exit(path != NULL);
	}
	return collect(child);
}

static int make_vfork(const char *path)
{
	static char name[] = "noop", *const argv[] = {name, NULL};
	pid_t child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork): its cost is the question

	if (child < 0)
		return errno;
	if (child == 0) {
		if (path)
			execve(path, argv, environ);
		_exit(path != NULL);
	}
	return collect(child);
}

static int make_spawn(const char *path)
{
	char name[] = "noop", *const argv[] = {name, NULL};
	pid_t child;
	int err = posix_spawn(&child, path, NULL, NULL, argv, environ);

	return err ? err : collect(child);
}

static int make(enum op op, const char *path)
{
	switch (op) {
	case OP_THREAD: return make_thread();
	case OP_VFORK: return make_vfork(NULL);
	case OP_FORK: return make_fork(NULL);
	case OP_SPAWN: return make_spawn(path);
	case OP_VFORK_EXEC: return make_vfork(path);
	case OP_FORK_EXEC: return make_fork(path);
	}
	return EINVAL;
}

static int64_t cpu_used_ns(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	int64_t us =
		(self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) *
		(int64_t)1000000;
	us += self.ru_utime.tv_usec + self.ru_stime.tv_usec + children.ru_utime.tv_usec + children.ru_stime.tv_usec;
	return us * 1000;
}

static void report_error(struct probe_step *s, int err)
{
	struct rlimit r = {0};
	int64_t pids = sys_int("/sys/fs/cgroup/pids.max");
	char group[64] = "";

	if (pids != RUN_NULL)
		snprintf(group, sizeof group, ", the container's pids.max %lld", (long long)pids);
	if (err == EAGAIN && getrlimit(RLIMIT_NPROC, &r) == 0)
		step_status(s, RUN_SKIPPED,
			"stop other processes of this user, or raise 'ulimit -u' and the cgroup's pids.max",
			"no new task: EAGAIN; the limit of processes is %lld%s", (long long)r.rlim_cur, group);
	else if (err == ENOEXEC)
		step_status(s, RUN_SKIPPED, "allow programs to be executed from memory (sysctl vm.memfd_noexec=0)",
			"the program did not run");
	else
		step_status(s, RUN_SKIPPED, "see the error; a container or security module may forbid it",
			"no new task: %s", strerror(err));
}

/* Times `n` operations. Returns an errno. */
static int batch(struct probe_step *s, const struct probe_case *c, const char *path, int64_t n, int64_t *wall_ns)
{
	int err = 0;

	for (int i = 0; i < WARM_UPS && !err; i++)
		err = make((enum op)c->arg[ARG_OP], path);
	int64_t cpu = cpu_used_ns(), began = clock_ns();
	for (int64_t i = 0; i < n && !err; i++)
		err = make((enum op)c->arg[ARG_OP], path);
	*wall_ns = clock_ns() - began;
	cpu = cpu_used_ns() - cpu;
	if (!err && !c->arg[ARG_FREE])
		step_outside(s, *wall_ns, *wall_ns - cpu - *wall_ns / 100 * UNACCOUNTED_PER_CENT);
	return err;
}

static void run_case(struct probe_step *s, const struct probe_case *c, const char *path)
{
	int64_t n = c->arg[ARG_PROGRAM] ? BATCH_EXEC : BATCH_NO_EXEC;
	int64_t target = s->env->quick ? QUICK_NS * 2 : FULL_NS, wall;

	if (s->cell->calibrated)
		n = s->cell->calibrated;
	int err = batch(s, c, path, n, &wall);
	if (err) {
		report_error(s, err);
		return;
	}
	if (!s->cell->calibrated || wall < QUICK_NS)
		s->cell->calibrated = n * (target / (wall + 1) + 1);
	step_value(s, "wall", wall / n);
	step_param(s, "ops", n);
	step_param(s, "pinned", !c->arg[ARG_FREE]);
}

static void create_run(struct probe_step *s, const struct probe_case *c)
{
	char path[64];
	int fd = -1;

	if (!c->arg[ARG_FREE] && !env_pin(s->env->cpu)) {
		step_status(s, RUN_SKIPPED, "allow sched_setaffinity", "cannot pin to one CPU: %s", strerror(errno));
		return;
	}
	if (c->arg[ARG_PROGRAM] == PROGRAM_NOOP) {
		fd = noop_open();
		if (fd < 0) {
			step_status(s, RUN_SKIPPED, "allow memfd_create and its execution (sysctl vm.memfd_noexec=0)",
				"no program in memory: %s", strerror(errno));
			return;
		}
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	} else if (c->arg[ARG_PROGRAM] == PROGRAM_TRUE && access(true_path, X_OK) != 0) {
		step_status(s, RUN_SKIPPED, "install coreutils", "no %s", true_path);
		return;
	}
	run_case(s, c, c->arg[ARG_PROGRAM] == PROGRAM_NOOP ? path : true_path);
	if (fd >= 0)
		close(fd);
}

static const struct probe_case cases[] = {
	{"thread-join", {OP_THREAD}},
	{"vfork", {OP_VFORK}},
	{"fork", {OP_FORK}},
	{"spawn", {OP_SPAWN, PROGRAM_NOOP}},
	{"vfork-exec", {OP_VFORK_EXEC, PROGRAM_NOOP}},
	{"fork-exec", {OP_FORK_EXEC, PROGRAM_NOOP}},
	{"spawn-true", {OP_SPAWN, PROGRAM_TRUE}},
	{"fork-exec-true", {OP_FORK_EXEC, PROGRAM_TRUE}},
	{"thread-join-free", {OP_THREAD, PROGRAM_NONE, true}},
	{"vfork-free", {OP_VFORK, PROGRAM_NONE, true}},
	{"fork-free", {OP_FORK, PROGRAM_NONE, true}},
	{"spawn-free", {OP_SPAWN, PROGRAM_NOOP, true}},
	{0},
};

const struct probe_ops create_ops = {
	.name = "create",
	.twin = "fork",
	.limit_ms = 60000,
	.cases = cases,
	.run = create_run,
};
