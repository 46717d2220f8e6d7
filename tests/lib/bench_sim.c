/* What the native simulator costs: prints million events a CPU second of two hogs on one CPU at 1000 Hz, and CPU ms of ten seconds of 16
 * tasks on 4 CPUs, without a log each; the best of five. tests/wasm/bench.mjs runs the same scenarios in the module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/sim.h"

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double best_ms(const char *text, struct sim_result *result)
{
	static struct sim_scenario scenario;
	struct sim_error e;
	double best = 0;
	void *memory = malloc(sim_memory_bytes());

	if (!memory || !sim_parse(text, strlen(text), &scenario, &e))
		exit(1);
	for (int i = 0; i < 5; i++) {
		double before = cpu_ms();
		sim_run(&scenario, memory, sim_memory_bytes(), NULL, 0, 0, result);
		double ms = cpu_ms() - before;
		best = i == 0 || ms < best ? ms : best;
	}
	free(memory);
	return best;
}

int main(void)
{
	static char many[4096] = "events 1000000; cpus 4; for 10s";
	struct sim_result result;

	double hogs = best_ms("events 100000000; hz 1000; for 500s; task a cpu 0: run; task b cpu 0: run", &result);
	printf("%.2f ", (double)result.events / hogs / 1e3);
	for (int i = 0; i < 16; i++) {
		size_t n = strlen(many);
		snprintf(many + n, sizeof many - n, "; task t%d cpu %d: run 2ms, sleep 5ms..9ms", i, i % 4);
	}
	printf("%.2f\n", best_ms(many, &result));
	return 0;
}
