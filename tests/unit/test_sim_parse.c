/* The scenario language: what it means, and what it says of what it does not understand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

static void every_word_arrives(void **state)
{
	read_scenario("# a comment\n"
		      "profile eevdf71; cpus 4; hz 1000\n"
		      "hrtick off\nrt_throttle on\nfair_server off\n"
		      "tick_offset 0 250us\ntick_loss 10us # another\nswitch_cost 1.5us\n"
		      "seed 7\nevents 5\nfor 2.5s\n"
		      "group g weight 300 quota 50ms/200ms burst 20ms phase 3ms\n"
		      "session s\n"
		      "group h in s idle\n"
		      "task a nice -5 slice 10ms cpu 0,2-3 in g start 5ms woken seed 3: run 2ms, sleep 9ms..11ms\n"
		      "task b rr 50: run 1us, wake c, once\n"
		      "task c deadline 1ms 2ms 4ms: wait, run 3ms, yield, poll, set_nice 5, sleep_until 1s, exit\n"
		      "task d idle in h: run\n");
	const struct sim_scenario *s = &scenario;
	assert_int_equal(s->profile, SIM_EEVDF71);
	assert_int_equal(s->cpus, 4);
	assert_int_equal(s->hz, 1000);
	assert_int_equal(s->hrtick, 0);
	assert_int_equal(s->rt_throttle, 1);
	assert_int_equal(s->fair_server, 0);
	assert_int_equal(s->tick_offset[1], 250000);
	assert_int_equal(s->tick_loss, 10000);
	assert_int_equal(s->switch_cost, 1500);
	assert_int_equal(s->seed, 7);
	assert_int_equal(s->events_max, 5);
	assert_int_equal(s->horizon, 2500000000);
	assert_int_equal(s->n_groups, 3);
	assert_int_equal(s->groups[0].weight, 300);
	assert_int_equal(s->groups[0].quota, 50 * MS);
	assert_int_equal(s->groups[0].period, 200 * MS);
	assert_int_equal(s->groups[0].burst, 20 * MS);
	assert_int_equal(s->groups[0].phase, 3 * MS);
	assert_true(s->groups[1].session && s->groups[2].idle);
	assert_int_equal(s->groups[2].parent, 1);
	const struct sim_task *a = &s->tasks[0];
	assert_int_equal(a->nice, -5);
	assert_int_equal(a->slice, 10 * MS);
	assert_int_equal(a->cpus, 13);
	assert_int_equal(a->group, 0);
	assert_int_equal(a->start, 5 * MS);
	assert_true(a->woken && a->seeded && !a->once);
	assert_int_equal(a->seed, 3);
	assert_int_equal(s->ops[1].code, SIM_SLEEP);
	assert_int_equal(s->ops[1].b, 11 * MS);
	assert_true(s->tasks[1].once);
	assert_int_equal(s->tasks[1].policy, SIM_TASK_RR);
	assert_int_equal(s->tasks[1].prio, 50);
	assert_int_equal(s->ops[3].code, SIM_WAKE);
	assert_int_equal(s->ops[3].arg, 2);
	assert_int_equal(s->tasks[2].policy, SIM_DEADLINE);
	assert_int_equal(s->tasks[2].period, 4 * MS);
	assert_int_equal(s->ops[s->tasks[3].first_op].a, SIM_FOREVER);
	(void)state;
}

static void defaults(void **state)
{
	read_scenario("task a: run");
	assert_int_equal(scenario.profile, SIM_EEVDF618);
	assert_int_equal(scenario.cpus, 2);
	assert_int_equal(scenario.hz, 250);
	assert_int_equal(scenario.horizon, 1000000000);
	assert_int_equal(scenario.tasks[0].seed, SIM_SEED);
	assert_int_equal(scenario.tasks[0].cpus, 3);
	read_scenario("task a slice 50us: run\ntask b slice 1s: run");
	assert_int_equal(scenario.tasks[0].slice, 100000); /* the kernel clamps */
	assert_int_equal(scenario.tasks[1].slice, 100 * MS);
	(void)state;
}

static void times_are_exact(void **state)
{
	static const struct {
		const char *text;
		int64_t ns; /* -1: refused */
	} cases[] = {{"5.123457ms", 5123457}, {"1ns", 1}, {"1.5us", 1500}, {"3600s", SIM_TIME_MAX}, {"0", 0},
		{"0ms", 0}, {".5ms", -1}, {"5.ms", -1}, {"5", -1}, {"5m", -1}, {"-5ms", -1}, {"1.0000001us", -1},
		{"0.5ns", -1}, {"3601s", -1}, {"9999999999999999999s", -1}, {"ms", -1}, {"1e3ms", -1},
		{"0.000000001s", 1}};
	char text[100];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sim_error e;
		int n = snprintf(text, sizeof text, "task a start %s: run", cases[i].text);
		bool fine = sim_parse(text, (size_t)n, &scenario, &e);
		if (fine != (cases[i].ns >= 0) || (fine && scenario.tasks[0].start != cases[i].ns))
			fail_msg("%s", cases[i].text);
	}
	(void)state;
}

static void faults_have_place_and_remedy(void **state)
{
	static const struct {
		const char *text;
		int line, col;
		const char *says;
	} cases[] = {
		{"", 1, 1, "no task; add"},
		{"cpus 2\ntask a: rum", 2, 9, "did you mean 'run'"},
		{"cpu 2; task a: run", 1, 1, "did you mean 'cpus'"},
		{"task a nce 5: run", 1, 8, "did you mean 'nice'"},
		{"profile eevdf617; task a: run", 1, 9, "did you mean 'eevdf618'"},
		{"profile xyzzyx; task a: run", 1, 9, "known: eevdf618"},
		{"cpus 17; task a: run", 1, 6, "from 1 to 16"},
		{"hz 50; task a: run", 1, 4, "from 100 to 1000"},
		{"hz 250\nhz 250\ntask a: run", 2, 1, "given twice"},
		{"hrtick yes; task a: run", 1, 8, "known: on, off"},
		{"for 0; task a: run", 1, 5, "too short"},
		{"quantum 0; task a: run", 1, 9, "too short"},
		{"quantum 1ms 1ms 1ms 1ms 1ms 1ms 1ms 1ms 1ms; task a: run", 1, 41, "no more is allowed"},
		{"task a slice 0: run", 1, 14, "too short"},
		{"task a nice 20: run", 1, 13, "from -20 to 19"},
		{"task a fifo 100: run", 1, 13, "from 1 to 99"},
		{"task a", 1, 7, "a colon"},
		{"task a run", 1, 8, "unknown property"},
		{"task a:", 1, 8, "missing operation"},
		{"task a: run 2", 1, 13, "write 2ms"},
		{"task a: run 0", 1, 13, "too short"},
		{"task a: run 3ms..2ms", 1, 13, "ends before it begins"},
		{"task a: run 1ms 2ms", 1, 17, "too much here"},
		{"task a: run, wake b", 1, 19, "unknown task 'b'"},
		{"task a: yield", 1, 9, "lets no time pass"},
		{"task a: run\ntask a: run", 2, 6, "a second task 'a'"},
		{"task a-name-that-is-too-long: run", 1, 6, "up to 15 letters"},
		{"task a in g: run", 1, 11, "unknown group 'g'"},
		{"task a cpu 2: run", 1, 6, "no CPU to run on"},
		{"task a cpu 0-16: run", 1, 12, "of CPUs 0 to 15"},
		{"profile rr; task a fifo 5: run", 1, 18, "Linux policy under a textbook profile"},
		{"task a deadline 5ms 4ms 10ms: run", 1, 21, "before the runtime"},
		{"task a deadline 100ns 4ms 10ms: run", 1, 17, "too short"},
		{"group g quota 1us/100ms; task a: run", 1, 15, "the kernel refuses"},
		{"group g quota 1ms/2s; task a: run", 1, 15, "the kernel refuses"},
		{"group g quota 10ms burst 20ms; task a: run", 1, 7, "burst above its quota"},
		{"group g weight 0; task a: run", 1, 16, "from 1 to 10000"},
		{"group g\ngroup g\ntask a: run", 2, 7, "a second group 'g'"},
		{"task a seed 0: run", 1, 13, "a seed is a number"},
		{"task \x1b[31m: run", 1, 6, "'?[31m'"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sim_error e;
		if (sim_parse(cases[i].text, strlen(cases[i].text), &scenario, &e))
			fail_msg("accepted: %s", cases[i].text);
		if (e.line != cases[i].line || e.col != cases[i].col || !strstr(e.message, cases[i].says))
			fail_msg("%s\n%d:%d: %s", cases[i].text, (int)e.line, (int)e.col, e.message);
	}
	(void)state;
}

static void bounds(void **state)
{
	static char text[70000];
	struct sim_error e;
	size_t n = 0;

	for (int i = 0; i <= SIM_TASKS_MAX; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "task t%d: run\n", i);
	assert_false(sim_parse(text, n, &scenario, &e));
	assert_int_equal(e.line, 65);
	assert_non_null(strstr(e.message, "more than 64 tasks"));
	n = (size_t)snprintf(text, sizeof text, "task a: run 1ms");
	for (int i = 0; i < SIM_OPS_MAX; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, ", yield");
	assert_false(sim_parse(text, n, &scenario, &e));
	assert_non_null(strstr(e.message, "more than 512 operations"));
	n = 0;
	for (int i = 0; i <= SIM_GROUPS_MAX; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "group g%d\n", i);
	assert_false(sim_parse(text, n, &scenario, &e));
	assert_non_null(strstr(e.message, "more than 16 groups"));
	memset(text, ' ', sizeof text);
	assert_false(sim_parse(text, sizeof text, &scenario, &e));
	assert_non_null(strstr(e.message, "longer than 64 KiB"));
	(void)state;
}

static void canonical_text(void **state)
{
	static const char canonical[] =
		"profile mlfq\ncpus 1\nhz 250\nfor 1s\nquantum 10ms 20ms\nallot 20ms\nboost 500ms\nreset_on_block on\n"
		"task a start 1500us seed 9: run 1ms, sleep 2ms..3ms, once\ntask b: run, exit\n";
	char out[1000], cut[10];

	read_scenario("for 1000ms\ncpus 1;quantum 10ms 20ms ; allot 20ms\n\nboost 0.5s\nreset_on_block on;profile mlfq;"
		      "task a seed 9 cpu 0 start 1.5ms :run 1ms,sleep 2ms..3ms,once #x\ntask b nice 0: run , exit");
	assert_int_equal(sim_print(&scenario, out, sizeof out), sizeof canonical - 1);
	assert_string_equal(out, canonical);
	assert_int_equal(sim_print(&scenario, cut, sizeof cut), sizeof canonical - 1);
	assert_string_equal(cut, "profile m");
	(void)state;
}

/* Texts cut and spoilt at every place are refused or read, never crash, and what is read prints and reads the same. */
static void spoilt_texts(void **state)
{
	static const char good[] =
		"profile eevdf618; cpus 3;quantum 1ms 2ms\ngroup g in h weight 3 quota 5ms/10ms\nsession s\n"
		"task a nice -5 cpu 0-1,2 in g start 1.5ms: run 1ms..2ms, wake b, once\ntask b deadline 1ms 2ms 3ms: "
		"wait, run";
	static const char spoil[] = " \n;:,#.-/0a\x80\0";
	static struct sim_scenario second;
	char text[sizeof good], out[2000];
	struct sim_error e;

	for (size_t at = 0; at < sizeof good; at++)
		for (size_t k = 0; k < sizeof spoil; k++) {
			memcpy(text, good, sizeof good);
			text[at] = spoil[k];
			if (!sim_parse(text, k ? sizeof good - 1 : at, &scenario, &e)) {
				assert_true(e.line >= 1 && e.col >= 1 && e.message[0]);
				continue;
			}
			size_t n = sim_print(&scenario, out, sizeof out);
			assert_true(n < sizeof out && sim_parse(out, n, &second, &e));
			assert_memory_equal(&scenario, &second, sizeof second);
		}
	(void)state;
}

static void names_are_complete(void **state)
{
	for (int i = 0; i < SIM_REASONS; i++)
		assert_true(sim_reason_name(i)[0] && sim_reason_text(i)[0]);
	for (int i = 0; i < SIM_PROFILES; i++)
		assert_int_equal(sim_profile_find(sim_profile_name(i), strlen(sim_profile_name(i))), i);
	assert_null(sim_reason_name(SIM_REASONS));
	assert_null(sim_profile_name(SIM_NONE));
	assert_non_null(sim_point_text(SIM_AT_PICK));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_arrives),
		cmocka_unit_test(defaults),
		cmocka_unit_test(times_are_exact),
		cmocka_unit_test(faults_have_place_and_remedy),
		cmocka_unit_test(bounds),
		cmocka_unit_test(canonical_text),
		cmocka_unit_test(spoilt_texts),
		cmocka_unit_test(names_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
