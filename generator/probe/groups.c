#include "probe/groups.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/sys.h"

enum { PATH_ROOM = GROUP_PATH_ROOM, V1_SHARES_USUAL = 1024, V2_WEIGHT_USUAL = 100 };

void group_path(char to[GROUP_PATH_ROOM], const struct groups *g, int group, const char *file)
{
	const char *slash = *file ? "/" : "";

	if (group && group == g->nested)
		snprintf(to, PATH_ROOM, "%s/runq-%s-0/runq-%s-%d%s%s", g->base, g->tag, g->tag, group, slash, file);
	else
		snprintf(to, PATH_ROOM, "%s/runq-%s-%d%s%s", g->base, g->tag, group, slash, file);
}

/* Errors appear in the write. 0 or an errno. */
static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err = errno;
	close(fd);
	return err;
}

static bool has_word(struct str text, const char *word)
{
	for (int i = 0;; i++) {
		struct str w = sys_word(text, i);
		if (!w.len)
			return false;
		if (str_eq(w, str_of(word)))
			return true;
	}
}

/* v2's line begins with "0::", v1's names the controller. */
struct str group_own_path(struct str text, bool v2)
{
	while (text.len) {
		struct str path, rest, line = str_line(text, &text);
		struct str id = str_cut(line, ':', &rest), names = str_cut(rest, ':', &path);
		if (v2 && str_eq(id, STR("0")) && !names.len)
			return path;
		while (!v2 && names.len)
			if (str_eq(str_cut(names, ',', &names), STR("cpu")))
				return path;
	}
	return (struct str){0};
}

static bool switch_on(struct groups *g)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s/cgroup.subtree_control", g->base);
	return access(path, W_OK) == 0 && guard_subtree(&g->guard, path) && put(path, "+cpu") == 0;
}

/* May the group at `base` have children with the controller? Tries it with one. 0 or an errno. */
static int try_base(struct groups *g, struct arena scratch, bool pressure)
{
	char path[PATH_ROOM];

	if (g->version == 2 && !pressure) {
		snprintf(path, sizeof path, "%s/cgroup.subtree_control", g->base);
		if (!has_word(sys_text(&scratch, path), "cpu") && !switch_on(g))
			return EBUSY;
	}
	group_path(path, g, g->n, "");
	if (!guard_group(&g->guard, path))
		return ENOSPC;
	if (mkdir(path, 0755) != 0)
		return errno;
	g->n++;
	return 0;
}

/* From our own group up to the top: the first that will have us. v2 forbids children with controllers where processes
 * are, so that it is usually the parent. */
static int find_base(struct groups *g, struct arena scratch, struct str mount, struct str path, bool pressure)
{
	int err = ENOENT;

	for (;;) {
		/* The top is written "/": no second slash behind the mount. */
		int tail = path.len > 1 ? (int)path.len : 0;
		snprintf(g->base, sizeof g->base, "%.*s%.*s", STR_FMT(mount), tail, path.ptr);
		err = access(g->base, W_OK) != 0 ? errno : try_base(g, scratch, pressure);
		if (!err || path.len <= 1)
			return err;
		while (path.len && path.ptr[path.len - 1] != '/')
			path.len--;
		path.len -= path.len > 1;
	}
}

static int find(struct groups *g, struct arena scratch, bool pressure)
{
	static const char *const v2[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	static const char *const v1[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
	struct str groups = sys_text(&scratch, "/proc/self/cgroup");
	char path[PATH_ROOM];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/cgroup.controllers", v2[i]);
		bool cpu = has_word(sys_text(&scratch, path), "cpu");
		snprintf(path, sizeof path, "%s/cgroup.procs", v2[i]);
		if (access(path, F_OK) != 0 || !(cpu || pressure))
			continue;
		g->version = 2;
		return find_base(g, scratch, str_of(v2[i]), group_own_path(groups, true), pressure);
	}
	for (int i = 0; i < 2 && !pressure; i++) {
		snprintf(path, sizeof path, "%s/cpu.shares", v1[i]);
		if (access(path, F_OK) != 0)
			continue;
		g->version = 1;
		return find_base(g, scratch, str_of(v1[i]), group_own_path(groups, false), false);
	}
	return ENOENT;
}

bool groups_open(struct probe_step *s, struct groups *g, bool pressure)
{
	struct arena_block block;

	*g = (struct groups){0};
	if (!guard_open(&g->guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return false;
	}
	snprintf(g->tag, sizeof g->tag, "%d-%llx", (int)getpid(), (unsigned long long)clock_ns() & 0xffffffffU);
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	int err = find(g, scratch, pressure);
	arena_free(&block);
	if (!err) {
		g->n = 0; /* the group that was tried is the first that is asked for */
		return true;
	}
	groups_close(g);
	if (err == ENOENT)
		step_status(s, RUN_SKIPPED, "mount the cgroup file system",
			"no cgroup with a cpu controller is mounted in /sys/fs/cgroup");
	else if (err == EBUSY)
		step_status(s, RUN_SKIPPED,
			"run it as root outside a container, or in systemd-run --user --scope -p Delegate=cpu",
			"cgroup v2: no group up from ours gives its children the cpu controller");
	else
		step_status(s, RUN_SKIPPED, "run it as root, or in systemd-run --user --scope -p Delegate=cpu",
			"mkdir: %s: no cgroup up from ours may be given a child", strerror(err));
	return false;
}

int group_make(struct probe_step *s, struct groups *g)
{
	char path[PATH_ROOM];

	group_path(path, g, g->n, "");
	if (g->n == GROUPS_MAX || (g->n > 0 && !guard_group(&g->guard, path)) ||
		(mkdir(path, 0755) != 0 && !(g->n == 0 && errno == EEXIST))) {
		step_status(s, RUN_FAILED, "run it again", "no cgroup: %s", strerror(errno));
		return -1;
	}
	return g->n++;
}

int group_nest(struct probe_step *s, struct groups *g)
{
	char path[PATH_ROOM];

	group_path(path, g, 0, "cgroup.subtree_control");
	int err = g->version == 2 ? put(path, "+cpu") : 0;
	if (err) {
		step_status(s, RUN_SKIPPED, "see the limits of the groups above it",
			"+cpu to cgroup.subtree_control: %s", strerror(err));
		return -1;
	}
	g->nested = g->n;
	return group_make(s, g);
}

bool group_join(const struct groups *g, int group, pid_t pid)
{
	char path[PATH_ROOM], text[32];

	group_path(path, g, group, "cgroup.procs");
	snprintf(text, sizeof text, "%d", (int)pid);
	errno = put(path, text);
	return errno == 0;
}

bool group_set(struct probe_step *s, const struct groups *g, int group, const char *file, const char *text)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	char path[PATH_ROOM];

	group_path(path, g, group, file);
	int err = put(path, text);
	struct str back = sys_text(&a, path);
	if (err)
		step_status(s, RUN_SKIPPED, "see the limits of the groups above it", "writing %s to %s: %s", text, file,
			strerror(err));
	else if (!str_eq(back, str_of(text)))
		step_status(s, RUN_DEGRADED, "see the limits of the groups above it", "%s: wrote %s, read %.*s", file,
			text, STR_FMT(back));
	arena_free(&block);
	return !err;
}

bool group_quota(struct probe_step *s, const struct groups *g, int group, int quota_us, int period_us)
{
	char text[64];

	if (g->version == 2) {
		if (quota_us)
			snprintf(text, sizeof text, "%d %d", quota_us, period_us);
		else
			snprintf(text, sizeof text, "max %d", period_us);
		return group_set(s, g, group, "cpu.max", text);
	}
	/* The quota is lifted while the period changes: at no moment may the ratio be more than the parent's. */
	snprintf(text, sizeof text, "%d", period_us);
	if (!group_set(s, g, group, "cpu.cfs_quota_us", "-1") || !group_set(s, g, group, "cpu.cfs_period_us", text))
		return false;
	snprintf(text, sizeof text, "%d", quota_us ? quota_us : -1);
	return group_set(s, g, group, "cpu.cfs_quota_us", text);
}

bool group_weight(struct probe_step *s, const struct groups *g, int group, int weight)
{
	char text[32];

	snprintf(text, sizeof text, "%d",
		g->version == 2 ? weight : (weight * V1_SHARES_USUAL + V2_WEIGHT_USUAL / 2) / V2_WEIGHT_USUAL);
	return group_set(s, g, group, g->version == 2 ? "cpu.weight" : "cpu.shares", text);
}

bool group_has(const struct groups *g, int group, const char *file)
{
	char path[PATH_ROOM];

	group_path(path, g, group, file);
	return access(path, W_OK) == 0;
}

void groups_close(struct groups *g)
{
	guard_close(&g->guard);
	g->n = 0;
}
