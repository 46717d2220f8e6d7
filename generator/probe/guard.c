#include "probe/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"

enum { LOOK_MS = 50, NAP_NS = 5000000, PIDS_TEXT = 8192 };
static const int64_t last_ns = 300000000;
static const int64_t patience_ns = 10000000000; /* a throttled task of a tiny quota takes seconds to die */

/* A writer fills an entry, then counts it: a probe killed in between has not made that change yet. */
struct guard_board {
	pid_t session;
	_Atomic int n_groups, n_pids;
	_Atomic bool subtree_set;
	char groups[GUARD_GROUPS_MAX][GUARD_PATH_MAX];
	char subtree[GUARD_PATH_MAX];
	pid_t pids[GUARD_PIDS_MAX];
};

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text);
}

/* Kills the members of one of our groups. */
static void kill_members(const char *group)
{
	char path[GUARD_PATH_MAX + 16], text[PIDS_TEXT];

	snprintf(path, sizeof path, "%s/cgroup.procs", group);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
		long pid = strtol(at, NULL, 10);
		if (pid > 1)
			kill((pid_t)pid, SIGKILL);
	}
}

/* What a quota holds back could not even die: lift it, v1 and v2. */
static void lift_quota(const char *group)
{
	char path[GUARD_PATH_MAX + 32];

	snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", group);
	if (write_text(path, "-1"))
		return;
	snprintf(path, sizeof path, "%s/cpu.max", group);
	write_text(path, "max");
}

static void remove_group(const char *group)
{
	int64_t began = clock_ns();

	if (access(group, F_OK) != 0)
		return;
	lift_quota(group);
	do {
		kill_members(group);
		if (rmdir(group) == 0 || errno == ENOENT)
			return;
		clock_sleep(NAP_NS);
	} while (clock_ns() - began < patience_ns);
}

static void clear_up(struct guard_board *b, bool killed)
{
	for (int i = 0; killed && i < atomic_load(&b->n_pids); i++)
		if (getsid(b->pids[i]) == b->session)
			kill(b->pids[i], SIGKILL);
	for (int i = atomic_load(&b->n_groups) - 1; i >= 0; i--)
		remove_group(b->groups[i]);
	/* See deadline.c: we do not end right behind a reservation either. */
	if (killed && atomic_load(&b->n_pids))
		clock_sleep(last_ns);
	/* Switched off again only if we switched it on, and only if no one else has come to use it: then it fails. */
	if (atomic_load(&b->subtree_set))
		write_text(b->subtree, "-cpu");
}

/* The parent's death is seen by the parent's number: its children hold copies of the pipe. */
static _Noreturn void stand_guard(struct guard_board *b, int fd, pid_t parent)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	static const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
	int null = open("/dev/null", O_RDWR);

	setsid();
	for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++)
		signal(deaf[i], SIG_IGN);
	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	while (getppid() == parent && poll(&p, 1, LOOK_MS) == 0)
		continue;
	clear_up(b, getppid() != parent);
	_exit(0);
}

bool guard_open(struct guard *g)
{
	int fds[2];
	pid_t parent = getpid();

	*g = (struct guard){.fd = -1};
	void *mem = mmap(NULL, sizeof *g->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		return false;
	struct guard_board *board = mem;
	board->session = getsid(0);
	if (pipe(fds) != 0) {
		munmap(mem, sizeof *board);
		return false;
	}
	(void)fflush(NULL);
	/* `g` may lie in memory that the guard shares: only the parent touches it from here on. */
	pid_t child = fork();
	if (child == 0) {
		close(fds[1]);
		stand_guard(board, fds[0], parent);
	}
	close(fds[0]);
	*g = (struct guard){.board = board, .pid = child, .fd = fds[1]};
	if (g->pid > 0)
		return true;
	guard_close(g);
	return false;
}

bool guard_group(struct guard *g, const char *path)
{
	int n = atomic_load(&g->board->n_groups);

	if (n == GUARD_GROUPS_MAX || strlen(path) >= GUARD_PATH_MAX)
		return false;
	memcpy(g->board->groups[n], path, strlen(path) + 1);
	atomic_store(&g->board->n_groups, n + 1);
	return true;
}

bool guard_subtree(struct guard *g, const char *path)
{
	if (atomic_load(&g->board->subtree_set) || strlen(path) >= GUARD_PATH_MAX)
		return false;
	memcpy(g->board->subtree, path, strlen(path) + 1);
	atomic_store(&g->board->subtree_set, true);
	return true;
}

bool guard_pid(struct guard *g, pid_t pid)
{
	int n = atomic_load(&g->board->n_pids);

	if (n == GUARD_PIDS_MAX)
		return false;
	g->board->pids[n] = pid;
	atomic_store(&g->board->n_pids, n + 1);
	return true;
}

void guard_forget_pids(struct guard *g)
{
	if (g->board)
		atomic_store(&g->board->n_pids, 0);
}

void guard_close(struct guard *g)
{
	char done = 1;

	if (!g->board)
		return;
	/* A byte, not only the closing: children that still live hold copies of the pipe. */
	if (g->pid > 0 && write(g->fd, &done, 1) == 1)
		while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	close(g->fd);
	munmap(g->board, sizeof *g->board);
	*g = (struct guard){.fd = -1};
}
