/* Looking things up in the registry; its entries are in probe_info_table.c. */
#include "model/probe_info.h"

#include <limits.h>

#include "base/buf.h"

const char *const run_unit_names[] = {"ns", "count", "bytes", "ppm", "milli"};
_Static_assert(sizeof run_unit_names / sizeof *run_unit_names == RUN_UNIT_MAX, "a name for each unit");

double run_unit_scale(enum run_unit unit)
{
	return unit == RUN_UNIT_PPM ? 1e-6 : unit == RUN_UNIT_MILLI ? 1e-3 : 1;
}

const struct probe_info *probe_info_find(struct str name)
{
	for (const struct probe_info *const *p = probe_infos; *p; p++)
		if (str_eq(name, str_of((*p)->name)))
			return *p;
	return NULL;
}

const struct case_info *probe_case_find(const struct probe_info *p, struct str name)
{
	static const struct case_info twin = {"aa", "the same case again"};

	for (const struct case_info *c = p->cases; c->name; c++)
		if (str_eq(name, str_of(c->name)))
			return c;
	return str_eq(name, STR("aa")) ? &twin : NULL;
}

const struct metric_info *probe_metric_find(const struct probe_info *p, struct str name)
{
	for (const struct metric_info *m = p->metrics; m->name; m++)
		if (str_eq(name, str_of(m->name)))
			return m;
	return NULL;
}

int probe_order(struct str probe, struct str case_name)
{
	enum { CASES_MAX = 1000 };

	for (int i = 0; probe_infos[i]; i++) {
		const struct probe_info *p = probe_infos[i];
		if (!str_eq(probe, str_of(p->name)))
			continue;
		for (int j = 0; p->cases[j].name; j++)
			if (str_eq(case_name, str_of(p->cases[j].name)))
				return i * CASES_MAX + j;
		return str_eq(case_name, STR("aa")) ? i * CASES_MAX + CASES_MAX - 1 : INT_MAX;
	}
	return INT_MAX;
}

struct probe_key probe_key_parse(struct str key)
{
	struct str rest, metric;
	struct probe_key r = {.probe = probe_info_find(str_cut(key, '/', &rest))};
	struct str kase = str_cut(rest, ':', &metric);

	if (!r.probe)
		return r;
	/* A twin is no measurement of its own: its only use is noise(). */
	r.kase = str_eq(kase, STR("aa")) ? NULL : probe_case_find(r.probe, kase);
	r.metric = metric.ptr ? probe_metric_find(r.probe, metric) : r.probe->metrics;
	r.ok = r.kase && r.metric;
	return r;
}

/* `spell`: name the metric even if it is the default. */
static struct str key_text(
	struct arena *a, const struct probe_info *p, const struct case_info *c, const struct metric_info *m, bool spell)
{
	struct buf b = buf_new(a);

	buf_add(&b, str_of(p->name));
	buf_char(&b, '/');
	buf_add(&b, str_of(c->name));
	if (spell || m != p->metrics) {
		buf_char(&b, ':');
		buf_add(&b, str_of(m->name));
	}
	return buf_str(&b);
}

struct str probe_key_nearest(struct arena *a, struct str key)
{
	bool spell = str_find_char(key, ':') >= 0;
	struct str names[2] = {{0}};

	/* Two candidates at a time: the best so far, first, wins ties. */
	for (const struct probe_info *const *p = probe_infos; *p; p++)
		for (const struct case_info *c = (*p)->cases; c->name; c++)
			for (const struct metric_info *m = (*p)->metrics; m->name; m++) {
				struct arena mark = *a;
				names[1] = key_text(a, *p, c, m, spell);
				struct str best = str_nearest(key, names + !names[0].len, names[0].len ? 2 : 1);
				if (best.len && best.ptr == names[1].ptr)
					names[0] = best;
				else
					*a = mark;
			}
	return names[0];
}
