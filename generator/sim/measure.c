/* Figures of one task from a log: what it ran, what it waited for. */
#include <string.h>

#include "sim/sim.h"

static void sift(int64_t *a, uint32_t at, uint32_t n)
{
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= n)
			return;
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[at] >= a[child])
			return;
		int64_t x = a[at];
		a[at] = a[child];
		a[child] = x;
		at = child;
	}
}

static void sort(int64_t *a, uint32_t n)
{
	for (uint32_t i = n / 2; i > 0; i--)
		sift(a, i - 1, n);
	for (uint32_t i = n; i > 1; i--) {
		int64_t x = a[0];
		a[0] = a[i - 1];
		a[i - 1] = x;
		sift(a, 0, i - 1);
	}
}

/* The lower median and the like: the value below which `permille` of the others lie. */
static int64_t quantile(const int64_t *sorted, uint32_t n, uint32_t permille)
{
	return n ? sorted[(uint64_t)(n - 1) * permille / 1000] : 0;
}

static void measure_runs(
	const struct sim_record *log, uint32_t n, int64_t end, int task, int64_t *scratch, struct sim_figures *out)
{
	uint32_t runs = 0;
	int64_t since = SIM_NONE;

	out->first_run = out->finished = SIM_NONE;
	for (uint32_t i = 0; i < n; i++) {
		if (log[i].kind != SIM_SWITCH)
			continue;
		if (log[i].from == task) {
			out->cpu_ns += log[i].value;
			scratch[runs++] = log[i].value;
			since = SIM_NONE;
			if (log[i].reason == SIM_EXITED)
				out->finished = log[i].t;
		}
		if (log[i].to == task) {
			since = log[i].t;
			if (out->first_run == SIM_NONE)
				out->first_run = since;
		}
	}
	if (since != SIM_NONE)
		out->cpu_ns += end - since;
	sort(scratch, runs);
	out->runs = runs;
	out->run_min = runs ? scratch[0] : 0;
	out->run_max = runs ? scratch[runs - 1] : 0;
	out->run_median = quantile(scratch, runs, 500);
}

static void measure_waits(const struct sim_record *log, uint32_t n, int task, int64_t *scratch, struct sim_figures *out)
{
	uint32_t waits = 0;
	int64_t woken = SIM_NONE;

	for (uint32_t i = 0; i < n; i++) {
		if (log[i].to != task)
			continue;
		if (log[i].kind == SIM_WOKEN)
			woken = log[i].t;
		if (log[i].kind != SIM_SWITCH || woken == SIM_NONE)
			continue;
		int64_t wait = log[i].t - woken;
		out->wait_sum += wait;
		out->below_300us += wait < 300000;
		scratch[waits++] = wait;
		woken = SIM_NONE;
	}
	sort(scratch, waits);
	out->wakes = waits;
	out->wait_max = waits ? scratch[waits - 1] : 0;
	out->wait_median = quantile(scratch, waits, 500);
	out->wait_p90 = quantile(scratch, waits, 900);
}

void sim_measure(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, int64_t end, int task,
	int64_t *scratch, struct sim_figures *out)
{
	memset(out, 0, sizeof *out);
	if (task < 0 || task >= scenario->n_tasks)
		return;
	measure_runs(log, n, end, task, scratch, out);
	measure_waits(log, n, task, scratch, out);
}
