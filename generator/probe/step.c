/* What a probe reports about one measurement, and what a row comes to in the end. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe/shared.h"

/* What makes a row contended. Rows that can tell what others took go by that; the rest by what others used of the two
 * CPUs, which the kernel samples once a tick: below 5 % that is noise. */
static const double outside_most = 0.01, others_most = 0.05, steal_most = 0.005;

void step_value(struct probe_step *s, const char *metric, int64_t value)
{
	const struct metric_info *m = probe_metric_find(s->info, str_of(metric));

	if (s->pass >= 0 && m && m - s->info->metrics < PROBE_METRICS_MAX)
		s->cell->values[m - s->info->metrics][s->pass] = value < m->lo || value > m->hi ? RUN_NULL : value;
}

void step_param(struct probe_step *s, const char *key, int64_t num)
{
	struct probe_cell *c = s->cell;
	int i = 0;

	while (i < c->n_params && strcmp(c->params[i].key, key) != 0)
		i++;
	if (i == PROBE_PARAMS_MAX)
		return;
	c->params[i] = (struct probe_param){key, num};
	c->n_params += i == c->n_params;
}

void step_hist(struct probe_step *s, const char *name, enum run_unit unit, int64_t value)
{
	struct probe_hist *h = s->cell->hists, *end = h + PROBE_HISTS_MAX;

	while (h < end && h->name && strcmp(h->name, name) != 0)
		h++;
	if (s->pass < 0 || h == end)
		return;
	h->name = name;
	h->unit = unit;
	hist_add(&h->hist, value);
}

void step_span(struct probe_step *s, const char *lane, const char *state, int64_t t0_ns, int64_t t1_ns)
{
	struct probe_cell *c = s->cell;

	if (s->pass < 0 || t1_ns < t0_ns || c->n_spans == RUN_SPANS_MAX || (c->n_spans && c->span_pass != s->pass))
		return;
	struct probe_span *span = &c->spans[c->n_spans++];
	snprintf(span->lane, sizeof span->lane, "%s", lane);
	snprintf(span->state, sizeof span->state, "%s", state);
	span->t0_ns = t0_ns;
	span->t1_ns = t1_ns;
	c->span_pass = s->pass;
}

void step_outside(struct probe_step *s, int64_t wall_ns, int64_t outside_ns)
{
	if (s->pass < 0)
		return;
	s->cell->wall_ns += wall_ns;
	s->cell->outside_ns += outside_ns > 0 ? outside_ns : 0;
}

static void set_cause(struct probe_cell *c, const char *remedy, const char *cause)
{
	if (!c->cause[0]) {
		snprintf(c->cause, sizeof c->cause, "%s", cause);
		snprintf(c->remedy, sizeof c->remedy, "%s", remedy ? remedy : "");
	}
}

void step_status(struct probe_step *s, enum run_status status, const char *remedy, const char *cause, ...)
{
	char text[PROBE_TEXT_MAX];
	va_list ap;

	va_start(ap, cause);
	vsnprintf(text, sizeof text, cause, ap);
	va_end(ap);
	set_cause(s->cell, remedy, text);
	if (status != RUN_FAILED)
		s->cell->status = status;
}

void step_note(struct probe_step *s, const char *note, ...)
{
	va_list ap;

	va_start(ap, note);
	vsnprintf(s->cell->note, sizeof s->cell->note, note, ap);
	va_end(ap);
}

static void add_note(struct probe_cell *c)
{
	size_t len = strlen(c->cause);

	if (c->note[0] && run_status_usable(c->status))
		snprintf(c->cause + len, sizeof c->cause - len, "%s%s", len ? "; " : "", c->note);
}

/* Which passes gave a value of the first metric that the case has: not all have the probe's first. */
static int passes_with_value(const struct probe_cell *c, int passes)
{
	int n = 0;

	for (int m = 0; m < PROBE_METRICS_MAX && !n; m++)
		for (int p = 0; p < passes; p++)
			n += c->values[m][p] != RUN_NULL;
	return n;
}

static void contend(struct probe_cell *c, const char *remedy, const char *what, double part)
{
	char text[PROBE_TEXT_MAX];

	snprintf(text, sizeof text, "%s %.1f %% of the time", what, 100 * part);
	set_cause(c, remedy, text);
	c->status = RUN_CONTENDED;
}

static void settle_cell(struct probe_cell *c, int passes, struct table_load load)
{
	int have = passes_with_value(c, passes);
	double outside = c->wall_ns ? (double)c->outside_ns / (double)c->wall_ns : 0;
	char text[PROBE_TEXT_MAX];

	if (!run_status_usable(c->status))
		return;
	if (have == 0) {
		set_cause(c, "run it again; if it fails again, report the machine", "no pass gave a plausible value");
		c->status = RUN_FAILED;
	} else if (have < passes) {
		snprintf(text, sizeof text, "%d of %d passes failed", passes - have, passes);
		set_cause(c, "run it again on a quieter machine", text);
		c->status = RUN_DEGRADED;
	}
	if (c->status != RUN_OK)
		return;
	/* A pass that failed while warming up is forgotten. */
	c->cause[0] = c->remedy[0] = '\0';
	if (outside > outside_most)
		contend(c, "stop other programs and run it again", "others took", outside);
	else if (!c->wall_ns && load.others > others_most)
		contend(c, "stop other programs and run it again", "others used the CPUs", load.others);
	else if (load.steal > steal_most)
		contend(c, "run it again when the host is quieter", "the hypervisor took", load.steal);
}

void table_settle(struct probe_table *t, struct table_load load)
{
	for (int i = 0; i < t->n_cases; i++) {
		settle_cell(table_cell(t, i), t->passes_done, load);
		add_note(table_cell(t, i));
	}
}
