/* What the kernel tells of a group. */
#include "probe/groups.h"
#include "probe/sys.h"

static struct str group_text(const struct groups *g, int group, const char *file, struct arena *a)
{
	char path[GROUP_PATH_ROOM];

	group_path(path, g, group, file);
	return sys_text(a, path);
}

int64_t group_int(const struct groups *g, int group, const char *file)
{
	char path[GROUP_PATH_ROOM];

	group_path(path, g, group, file);
	return sys_int(path);
}

struct group_stat group_stat(const struct groups *g, int group)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str text = group_text(g, group, "cpu.stat", &a);
	struct group_stat st = {.periods = sys_number(sys_field(text, "nr_periods")),
		.throttled = sys_number(sys_field(text, "nr_throttled")),
		.throttled_ns = sys_number(sys_field(text, g->version == 2 ? "throttled_usec" : "throttled_time")),
		.bursts = sys_number(sys_field(text, "nr_bursts"))};

	if (g->version == 2 && st.throttled_ns != RUN_NULL)
		st.throttled_ns *= 1000;
	arena_free(&block);
	return st;
}

static int64_t since(int64_t from, int64_t now)
{
	return from == RUN_NULL || now == RUN_NULL ? RUN_NULL : now - from;
}

struct group_stat group_stat_since(const struct groups *g, int group, struct group_stat from)
{
	struct group_stat now = group_stat(g, group);

	return (struct group_stat){since(from.periods, now.periods), since(from.throttled, now.throttled),
		since(from.throttled_ns, now.throttled_ns), since(from.bursts, now.bursts)};
}

int64_t pressure_total_us(struct str text, const char *kind)
{
	struct str line = sys_field(text, kind);
	ptrdiff_t at = str_find(str_line(line, &text), STR("total="));

	return at < 0 ? RUN_NULL : sys_number(str_from(line, at + 6));
}

int64_t group_pressure_us(const struct groups *g, int group, const char *kind)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int64_t total = pressure_total_us(group_text(g, group, "cpu.pressure", &a), kind);

	arena_free(&block);
	return total;
}
