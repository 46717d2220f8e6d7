/* Control groups of our own for the length of one step, with the cpu controller of cgroup v1 or v2. Made beside or
 * below the group we are in, guarded, removed by groups_close; a setting is read back. */
#ifndef RUNQ_PROBE_GROUPS_H
#define RUNQ_PROBE_GROUPS_H

#include "probe/guard.h"
#include "probe/harness.h"

enum { GROUPS_MAX = 4, GROUP_WEIGHT_MAX = 10000, GROUP_PATH_ROOM = GUARD_PATH_MAX + 64 };

struct groups {
	int version; /* of the cpu controller: 1 or 2 */
	int n, nested; /* nested: the one inside group 0, or 0 */
	char base[GUARD_PATH_MAX - 64], tag[32];
	struct guard guard;
};
/* False: there is none to be had; the step is skipped, with the cause. `pressure`: a v2 group with cpu.pressure is
 * enough, whoever has the controller. */
bool groups_open(struct probe_step *s, struct groups *g, bool pressure);
/* A new group; its number, or -1, told in the step. */
int group_make(struct probe_step *s, struct groups *g);
/* The same, inside group 0, which can then hold no process under v2. One at most. */
int group_nest(struct probe_step *s, struct groups *g);
/* Of the group (file "") or a file of it. */
void group_path(char to[GROUP_PATH_ROOM], const struct groups *g, int group, const char *file);
bool group_join(const struct groups *g, int group, pid_t pid); /* false leaves errno */
/* Writes the file and reads it back; false: told in the step. */
bool group_set(struct probe_step *s, const struct groups *g, int group, const char *file, const char *text);
/* Quota and period in us; quota 0: none. */
bool group_quota(struct probe_step *s, const struct groups *g, int group, int quota_us, int period_us);
bool group_weight(
	struct probe_step *s, const struct groups *g, int group, int weight); /* on v2's scale: 100 is usual */
bool group_has(const struct groups *g, int group, const char *file);
/* Of cpu.stat; RUN_NULL what the kernel does not tell. */
struct group_stat {
	int64_t periods, throttled, throttled_ns, bursts;
};
int64_t group_int(const struct groups *g, int group, const char *file); /* RUN_NULL: no such number */
struct group_stat group_stat(const struct groups *g, int group);
struct group_stat group_stat_since(const struct groups *g, int group, struct group_stat from);
/* cpu.pressure of the group: the total of "some" or "full" in us; RUN_NULL where there is none. */
int64_t group_pressure_us(const struct groups *g, int group, const char *kind);
/* The tasks of the groups should be dead; those that are not are killed. */
void groups_close(struct groups *g);

/* Our own group's path, from the text of /proc/self/cgroup: in v2's tree, or in v1's of the cpu controller. */
struct str group_own_path(struct str text, bool v2);
/* What follows `kind` and "total=" in a text of pressure. */
int64_t pressure_total_us(struct str text, const char *kind);

#endif
