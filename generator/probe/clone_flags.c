/* clone-flags: fork, vfork and pthread_create are three settings of one call. For each setting: does the kernel take it,
 * what does the maker see of what the made task changed, does the maker wait, and what does a task made so cost. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"
#include "probe/sys.h"

/* CALL: the system call itself, for what is refused; PTHREAD: the flags are those of pthread_create(3). */
enum way { CLONE, CALL, PTHREAD };
enum { ARG_FLAGS, ARG_WAY };
enum { STACK_BYTES = 64 * 1024, BEFORE_END_NS = 2000000, UNTIMED = 10, OPS_QUICK = 60, OPS_FULL = 400 };

/* In memory that both sides share whatever the flags say. */
struct traces {
	_Atomic int pid; /* as the made task sees it */
	_Atomic bool ended;
};

struct task {
	struct traces *traces; /* NULL: it ends at once */
	int free_fd, open_fd; /* a number to be taken, a descriptor to copy there */
	int *memory;
};

static _Alignas(64) char stack[STACK_BYTES];

/* Bare system calls only: the made task may share its maker's thread-local storage. */
static int leave_traces(void *arg)
{
	struct task *t = arg;

	if (!t->traces)
		return 0;
	*t->memory = 1;
	syscall(SYS_dup3, t->open_fd, t->free_fd, 0);
	if (syscall(SYS_chdir, "/proc") != 0)
		return 1;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	(void)sigaction(SIGUSR2, &ignore, NULL);
	atomic_store(&t->traces->pid, (int)syscall(SYS_getpid));
	struct timespec nap = {.tv_nsec = BEFORE_END_NS};
	syscall(SYS_nanosleep, &nap, NULL);
	atomic_store(&t->traces->ended, true);
	return 0;
}

static void *thread_main(void *arg)
{
	leave_traces(arg);
	return NULL;
}

struct made {
	pid_t pid;
	pthread_t thread;
	int err;
};

static struct made make(const struct probe_case *c, struct task *t)
{
	struct made m = {0};
	int flags = c->arg[ARG_FLAGS] | SIGCHLD;

	switch ((enum way)c->arg[ARG_WAY]) {
	case PTHREAD: m.err = pthread_create(&m.thread, NULL, thread_main, t); return m;
	case CLONE: m.pid = clone(leave_traces, stack + STACK_BYTES, flags, t); break;
	case CALL:
		m.pid = (pid_t)syscall(
			SYS_clone, flags, (flags & CLONE_VM) ? stack + STACK_BYTES : NULL, NULL, NULL, 0);
		if (m.pid == 0)
			syscall(SYS_exit, 0);
		break;
	}
	m.err = m.pid < 0 ? errno : 0;
	return m;
}

static int collect(const struct probe_case *c, const struct made *m)
{
	if (c->arg[ARG_WAY] == PTHREAD)
		return pthread_join(m->thread, NULL);
	while (waitpid(m->pid, NULL, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

static ino_t here(void)
{
	struct stat st;

	return stat(".", &st) == 0 ? st.st_ino : 0;
}

/* What the maker sees, then undone. */
static void look(struct probe_step *s, struct task *t, ino_t was, int back_fd)
{
	struct sigaction act, normal = {.sa_handler = SIG_DFL};
	bool files = fcntl(t->free_fd, F_GETFD) >= 0;

	step_value(s, "memory", *t->memory);
	step_value(s, "files", files);
	step_value(s, "cwd", here() != was);
	(void)sigaction(SIGUSR2, NULL, &act);
	step_value(s, "handlers", act.sa_handler == SIG_IGN);
	step_value(s, "process", atomic_load(&t->traces->pid) == getpid());
	(void)sigaction(SIGUSR2, &normal, NULL);
	if (fchdir(back_fd) != 0)
		step_status(s, RUN_FAILED, "run it from a folder that can be entered", "cannot go back");
	if (files)
		close(t->free_fd);
}

/* Returns the error of clone. */
static int see_sharing(struct probe_step *s, const struct probe_case *c, struct traces *traces)
{
	static int memory;
	int back_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), free_fd = dup(back_fd);
	struct task t = {.traces = traces, .free_fd = free_fd, .open_fd = back_fd, .memory = &memory};
	ino_t was = here();

	if (back_fd < 0 || free_fd < 0) {
		step_status(s, RUN_SKIPPED, "run it from a folder that can be read", "no folder to come back to: %s",
			strerror(errno));
		return -1;
	}
	close(free_fd);
	memory = 0;
	struct made m = make(c, &t);
	bool ended = atomic_load(&traces->ended);
	if (!m.err) {
		m.err = collect(c, &m);
		step_value(s, "waits", ended);
		look(s, &t, was, back_fd);
	}
	close(back_fd);
	return m.err;
}

static void time_it(struct probe_step *s, const struct probe_case *c)
{
	struct task t = {0};
	int ops = s->env->quick ? OPS_QUICK : OPS_FULL, err = 0;
	int64_t began = clock_ns();

	for (int i = -UNTIMED; i < ops && !err; i++) {
		if (i == 0)
			began = clock_ns();
		struct made m = make(c, &t);
		err = m.err ? m.err : collect(c, &m);
	}
	if (!err)
		step_value(s, "wall", (clock_ns() - began) / ops);
	step_param(s, "ops", ops);
}

/* EINVAL is the kernel's answer to flags that do not fit together; anything else is somebody in between. */
static void judge(struct probe_step *s, const struct probe_case *c, int err)
{
	bool expected = c->arg[ARG_WAY] == CALL;

	if (err == 0 || (expected && err == EINVAL)) {
		step_value(s, "accepted", err == 0);
		step_value(s, "error", err);
	} else {
		step_status(s, RUN_SKIPPED,
			err == EAGAIN
				? "stop other processes of this user, or raise 'ulimit -u' and the cgroup's pids.max"
				: "run it outside the container or emulator, which may answer for the kernel",
			"clone: %s", strerror(err));
	}
}

static void clone_flags_run(struct probe_step *s, const struct probe_case *c)
{
	struct traces *traces = mmap(NULL, sizeof *traces, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (traces == MAP_FAILED || !env_pin(s->env->cpu)) {
		step_status(s, RUN_SKIPPED, "free some memory; allow sched_setaffinity", "cannot begin: %s",
			strerror(errno));
		return;
	}
	step_param(s, "flags", c->arg[ARG_FLAGS]);
	int err = see_sharing(s, c, traces);
	if (err >= 0)
		judge(s, c, err);
	if (err == 0)
		time_it(s, c);
	munmap(traces, sizeof *traces);
}

enum {
	SHARED = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND,
	OF_PTHREAD = SHARED | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
};

static const struct probe_case cases[] = {
	{"fork", {0}},
	{"files", {CLONE_FILES}},
	{"fs", {CLONE_FS}},
	{"vm", {CLONE_VM}},
	{"vm-sighand", {CLONE_VM | CLONE_SIGHAND}},
	{"vm-fs-files-sighand", {SHARED}},
	{"vfork-alone", {CLONE_VFORK}},
	{"vfork", {CLONE_VFORK | CLONE_VM}},
	{"pthread", {OF_PTHREAD, PTHREAD}},
	{"sighand", {CLONE_SIGHAND, CALL}},
	{"thread", {CLONE_THREAD, CALL}},
	{"vm-thread", {CLONE_VM | CLONE_THREAD, CALL}},
	{"sighand-thread", {CLONE_SIGHAND | CLONE_THREAD, CALL}},
	{"fs-newns", {CLONE_FS | CLONE_NEWNS, CALL}},
	{0},
};

const struct probe_ops clone_flags_ops = {
	.name = "clone-flags",
	.twin = "fork",
	.limit_ms = 20000,
	.cases = cases,
	.run = clone_flags_run,
};
