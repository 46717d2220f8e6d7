#include "probe/trace_cast.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/realtime.h"

enum { US = 1000 };
static const int64_t look_ns = 200000, ready_limit_ns = 5000000000, end_limit_ns = 20000000000;

bool cast_groups(struct direction *d)
{
	for (int i = 0; i < d->sc->n_groups; i++) {
		const struct sim_group *g = &d->sc->groups[i];
		char burst[24];
		d->group_of[i] = -1;
		if (g->session)
			continue;
		if (!d->grouped && !groups_open(d->step, &d->groups, false))
			return false;
		d->grouped = true;
		int made = group_make(d->step, &d->groups);
		if (made < 0 || (g->weight != 100 && !group_weight(d->step, &d->groups, made, g->weight)))
			return false;
		if (g->idle && !group_set(d->step, &d->groups, made, "cpu.idle", "1"))
			return false;
		if (g->quota && !group_quota(d->step, &d->groups, made, (int)(g->quota / US), (int)(g->period / US)))
			return false;
		snprintf(burst, sizeof burst, "%lld", (long long)(g->burst / US));
		if (g->burst && !group_set(d->step, &d->groups, made,
					d->groups.version == 2 ? "cpu.max.burst" : "cpu.cfs_burst_us", burst))
			return false;
		d->group_of[i] = made;
	}
	return true;
}

static void start_player(struct trace_stage *st, int i)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		trace_play(st, i, parent);
	st->players[i].pid = child;
	if (child < 0)
		atomic_store(&st->players[i].err, errno);
}

/* Members of a session are forked by its leader, which waits for them. */
static _Noreturn void lead_session(struct trace_stage *st, int group, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || setsid() < 0)
		_exit(1);
	for (int i = 0; i < st->scenario->n_tasks; i++)
		if (st->scenario->tasks[i].group == group)
			start_player(st, i);
	while (wait(NULL) > 0 || errno == EINTR)
		continue;
	_exit(0);
}

static bool wait_for(_Atomic bool *flag, int64_t limit_ns)
{
	int64_t end = clock_ns() + limit_ns;

	while (!atomic_load(flag) && clock_ns() < end)
		clock_sleep(look_ns);
	return atomic_load(flag);
}

static bool fail(struct direction *d, const char *what)
{
	step_status(d->step, RUN_FAILED, "run it again on an idle machine", "%s", what);
	return false;
}

/* What a task's errno means. */
static bool player_failed(struct direction *d, int i)
{
	const struct sim_task *task = &d->sc->tasks[i];
	enum trace_deed deed = atomic_load(&d->st->players[i].deed);
	int err = atomic_load(&d->st->players[i].err);

	if (deed == TRACE_SCHEDULES && task->policy == SIM_DEADLINE && err == EBUSY)
		step_status(d->step, RUN_SKIPPED, "ask for less, or stop other programs that hold reservations",
			"sched_setattr=EBUSY: the reservation of %s does not fit", task->name);
	else if (deed == TRACE_SCHEDULES && task->policy > SIM_IDLE)
		realtime_refused(d->step, "sched_setattr", task->policy == SIM_DEADLINE ? SCHED_DEADLINE : SCHED_FIFO,
			err, NULL);
	else if (deed == TRACE_SCHEDULES && err == ENOTSUP)
		step_status(d->step, RUN_SKIPPED, "use a slice of 0.1 to 100 ms",
			"the kernel gave %s another slice than it asked for", task->name);
	else if (deed == TRACE_SCHEDULES && (err == EPERM || err == EACCES))
		step_status(d->step, RUN_SKIPPED, "run it as root",
			"sched_setattr=%s: nice %d of %s needs CAP_SYS_NICE", err == EPERM ? "EPERM" : "EACCES",
			(int)task->nice, task->name);
	else
		step_status(d->step, RUN_SKIPPED, "run it as root", "task %s could not take its place: %s", task->name,
			strerror(err));
	return false;
}

bool cast_players(struct direction *d)
{
	struct trace_stage *st = d->st;

	(void)fflush(NULL);
	for (int i = 0; i < d->sc->n_tasks; i++) {
		int group = d->sc->tasks[i].group;
		bool session = group != SIM_NONE && d->sc->groups[group].session;
		if (!session) {
			start_player(st, i);
		} else if (!d->leaders[group]) {
			pid_t parent = getpid();
			d->leaders[group] = fork();
			if (d->leaders[group] == 0)
				lead_session(st, group, parent);
		}
	}
	for (int i = 0; i < d->sc->n_tasks; i++) {
		struct trace_player *p = &st->players[i];
		int group = d->sc->tasks[i].group;
		if (!wait_for(&p->alive, ready_limit_ns))
			return fail(d, "a task could not be started");
		guard_pid(&d->guard, p->pid);
		if (group != SIM_NONE && d->group_of[group] >= 0 &&
			!group_join(&d->groups, d->group_of[group], p->pid)) {
			step_status(d->step, RUN_SKIPPED, "run it as root", "a task may not join its group: %s",
				strerror(errno));
			return false;
		}
		atomic_store(&p->placed, true);
		if (!wait_for(&p->ready, ready_limit_ns))
			return fail(d, "a task was not ready in time");
		if (atomic_load(&p->err))
			return player_failed(d, i);
	}
	return true;
}

/* A reservation ends by itself, and nothing else of ours ends for two of its periods (deadline.c says why); the others are
 * killed. */
void cast_dismiss(struct direction *d)
{
	int64_t longest = 0;

	atomic_store(&d->st->stop, true);
	if (!atomic_load(&d->st->go)) {
		d->st->t0_ns = clock_ns();
		atomic_store(&d->st->go, 1);
		linux_futex_wake(&d->st->go, SIM_TASKS_MAX, false);
	}
	for (int i = 0; i < d->sc->n_tasks; i++) {
		const struct sim_task *task = &d->sc->tasks[i];
		struct trace_player *p = &d->st->players[i];
		if (p->pid <= 0)
			continue;
		int64_t period = task->period ? task->period : task->deadline;
		if (task->policy == SIM_DEADLINE && atomic_load(&p->ready) && !atomic_load(&p->err) &&
			wait_for(&p->done, end_limit_ns))
			longest = period > longest ? period : longest;
		kill(p->pid, SIGKILL);
	}
	for (int i = 0; i < d->sc->n_tasks; i++)
		while (d->st->players[i].pid > 0 && waitpid(d->st->players[i].pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	for (int i = 0; i < SIM_GROUPS_MAX; i++)
		while (d->leaders[i] > 0 && waitpid(d->leaders[i], NULL, 0) < 0 && errno == EINTR)
			continue;
	watchdog_stop(d->watchdog);
	clock_sleep(2 * longest);
	guard_forget_pids(&d->guard);
}
