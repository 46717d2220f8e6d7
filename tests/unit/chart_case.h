/* Charts from tests/cases/chart/NAME.tsv: "# key: value" lines, a line of column names, then rows; an empty cell is NULL. */
#ifndef RUNQ_TESTS_CHART_CASE_H
#define RUNQ_TESTS_CHART_CASE_H

#include <math.h>

#include "base/file.h"
#include "model/series.h"

static inline struct str case_field(struct str text, const char *key)
{
	struct str rest = text;

	while (rest.len) {
		struct str line = str_line(rest, &rest), value;
		if (!str_starts(line, STR("# ")))
			continue;
		struct str name = str_cut(str_from(line, 2), ':', &value);
		if (str_eq(name, str_of(key)))
			return str_trim(value);
	}
	return (struct str){0};
}

static inline double case_number(struct arena scratch, struct str s)
{
	const char *z = str_z(&scratch, s);
	char *end;
	double v = strtod(z, &end);

	return s.len && *end == '\0' ? v : (double)NAN;
}

/* A grid of a tab-separated text's lines that begin with no "#". */
static inline struct grid case_grid(struct arena *a, struct str text)
{
	struct grid g = {0};
	struct str rest = text;
	ptrdiff_t lines = 0;

	for (struct str r = text; r.len;)
		lines += !str_starts(str_line(r, &r), STR("#"));
	while (rest.len) {
		struct str line = str_line(rest, &rest);
		if (str_starts(line, STR("#")))
			continue;
		bool head = !g.names;
		if (head) {
			g.cols = 1;
			for (ptrdiff_t i = 0; i < line.len; i++)
				g.cols += line.ptr[i] == '\t';
			g.names = ARENA_NEW(a, struct str, g.cols);
			g.text = ARENA_NEW(a, struct str, g.cols * lines);
			g.num = ARENA_NEW(a, double, g.cols *lines);
		}
		for (ptrdiff_t i = 0; i < g.cols; i++) {
			struct str cell = str_cut(line, '\t', &line);
			if (head) {
				g.names[i] = cell;
				continue;
			}
			g.text[g.rows * g.cols + i] = cell.len ? cell : (struct str){0};
			g.num[g.rows * g.cols + i] = case_number(*a, cell);
		}
		g.rows += !head;
	}
	return g;
}

static inline bool case_chart(struct arena *a, struct str text, struct chart *c, struct diag *d)
{
	struct grid g = case_grid(a, text);
	struct str kind = case_field(text, "kind");

	*c = (struct chart){.kind = CHART_KIND_MAX};
	for (int k = 0; k < CHART_KIND_MAX; k++)
		if (str_eq(kind, str_of(chart_kind_names[k])))
			c->kind = (enum chart_kind)k;
	if (c->kind == CHART_KIND_MAX)
		return false;
	c->scale = str_eq(case_field(text, "scale"), STR("log")) ? CHART_LOG : CHART_LINEAR;
	c->x_scale = str_eq(case_field(text, "x_scale"), STR("log")) ? CHART_LOG : CHART_LINEAR;
	c->id = case_field(text, "id");
	c->title = case_field(text, "title");
	c->subtitle = case_field(text, "subtitle");
	c->unit = case_field(text, "unit");
	c->x_unit = case_field(text, "x_unit");
	c->y_unit = case_field(text, "y_unit");
	c->machine = case_field(text, "machine");
	return chart_fill(c, &g, a, d, (struct pos){STR("case"), 1, 1});
}

#endif
