/* Scenarios from text: statements and settings. Tasks and groups: parse_task.c. */
#include <string.h>

#include "sim/parse.h"

static bool read_profile(struct sim_parser *p)
{
	const char *names[SIM_PROFILES];
	struct sim_token t = sim_parse_take(p);

	p->sc->profile = t.kind == 'w' ? sim_profile_find(t.ptr, t.len) : SIM_NONE;
	for (int i = 0; i < SIM_PROFILES; i++)
		names[i] = sim_profile_name(i);
	return p->sc->profile != SIM_NONE || sim_parse_unknown(p, t, "profile", names, SIM_PROFILES);
}

static bool read_cpus(struct sim_parser *p)
{
	return sim_parse_int(p, 1, SIM_CPUS_MAX, "cpus is a number from 1 to 16: ", &p->sc->cpus);
}

static bool read_hz(struct sim_parser *p)
{
	return sim_parse_int(p, 100, 1000, "hz is a number from 100 to 1000: ", &p->sc->hz);
}

static bool read_switch(struct sim_parser *p, int8_t *out)
{
	static const char *const names[] = {"on", "off"};
	struct sim_token t = sim_parse_take(p);

	if (!sim_token_is(t, "on") && !sim_token_is(t, "off"))
		return sim_parse_unknown(p, t, "state", names, 2);
	*out = sim_token_is(t, "on");
	return true;
}

static bool read_hrtick(struct sim_parser *p)
{
	return read_switch(p, &p->sc->hrtick);
}

static bool read_rt_throttle(struct sim_parser *p)
{
	return read_switch(p, &p->sc->rt_throttle);
}

static bool read_fair_server(struct sim_parser *p)
{
	return read_switch(p, &p->sc->fair_server);
}

static bool read_reset(struct sim_parser *p)
{
	int8_t on = 0;

	if (!read_switch(p, &on))
		return false;
	p->sc->reset_on_block = (uint8_t)on;
	return true;
}

static bool read_ostep(struct sim_parser *p)
{
	int8_t on = 0;

	if (!read_switch(p, &on))
		return false;
	p->sc->ostep = (uint8_t)on;
	return true;
}

static bool read_times(struct sim_parser *p, int64_t *out, int max, int64_t min, const char *what, int *n)
{
	*n = 0;
	do {
		if (*n == max)
			return sim_parse_fail(p, p->token, "too many times; at ", " no more is allowed");
		if (!sim_parse_time(p, min, what, &out[*n]))
			return false;
		++*n;
	} while (p->token.kind == 'w');
	return true;
}

static bool read_tick_offset(struct sim_parser *p)
{
	int n;

	return read_times(p, p->sc->tick_offset, SIM_CPUS_MAX, 0, "tick_offset ", &n);
}

static bool read_tick_loss(struct sim_parser *p)
{
	return sim_parse_time(p, 0, "tick_loss ", &p->sc->tick_loss);
}

static bool read_switch_cost(struct sim_parser *p)
{
	return sim_parse_time(p, 0, "switch_cost ", &p->sc->switch_cost);
}

static bool read_u32(struct sim_parser *p, int64_t max, const char *what, uint32_t *out)
{
	struct sim_token t = sim_parse_take(p);
	int64_t v = 0;

	if (t.kind != 'w' || !sim_number_of(t.ptr, t.len, &v) || v < 1 || v > max)
		return sim_parse_fail(p, t, what, " is none");
	*out = (uint32_t)v;
	return true;
}

static bool read_seed(struct sim_parser *p)
{
	return read_u32(p, UINT32_MAX, "a seed is a number from 1 to 4294967295: ", &p->sc->seed);
}

static bool read_events(struct sim_parser *p)
{
	return read_u32(p, SIM_EVENTS_MAX, "events is a number from 1 to 100000000: ", &p->sc->events_max);
}

static bool read_for(struct sim_parser *p)
{
	return sim_parse_time(p, 1, "the time simulated, ", &p->sc->horizon);
}

static bool read_quantum(struct sim_parser *p)
{
	int n;

	if (!read_times(p, p->sc->quantum, SIM_LEVELS_MAX, 1, "a quantum of ", &n))
		return false;
	p->sc->n_levels = n;
	return true;
}

static bool read_allot(struct sim_parser *p)
{
	int n;

	return read_times(p, p->sc->allot, SIM_LEVELS_MAX, 1, "an allotment of ", &n);
}

static bool read_boost(struct sim_parser *p)
{
	return sim_parse_time(p, 1, "a boost every ", &p->sc->boost);
}

/* Statements, each but the last three at most once. */
static const struct sim_word statements[] = {
	{"profile", read_profile},
	{"cpus", read_cpus},
	{"hz", read_hz},
	{"hrtick", read_hrtick},
	{"rt_throttle", read_rt_throttle},
	{"fair_server", read_fair_server},
	{"tick_offset", read_tick_offset},
	{"tick_loss", read_tick_loss},
	{"switch_cost", read_switch_cost},
	{"seed", read_seed},
	{"events", read_events},
	{"for", read_for},
	{"quantum", read_quantum},
	{"allot", read_allot},
	{"boost", read_boost},
	{"reset_on_block", read_reset},
	{"ostep", read_ostep},
	{"group", sim_parse_group},
	{"session", sim_parse_session},
	{"task", sim_parse_task},
};
enum { STATEMENTS = sizeof statements / sizeof *statements, SETTINGS = STATEMENTS - 3 };

static bool read_statement(struct sim_parser *p)
{
	const char *names[STATEMENTS];
	struct sim_token t = sim_parse_take(p);
	int i = 0;

	while (i < STATEMENTS && !sim_token_is(t, statements[i].name))
		i++;
	for (int j = 0; j < STATEMENTS; j++)
		names[j] = statements[j].name;
	if (i == STATEMENTS)
		return sim_parse_unknown(p, t, "statement", names, STATEMENTS);
	if (i < SETTINGS && (p->seen & (1U << i)))
		return sim_parse_fail(p, t, "", " is given twice; keep one");
	p->seen |= i < SETTINGS ? 1U << i : 0;
	if (!statements[i].read(p))
		return false;
	if (p->token.kind && p->token.kind != ';')
		return sim_parse_fail(p, p->token, "", " is too much here; end the line before it");
	return true;
}

static void set_defaults(struct sim_scenario *sc)
{
	memset(sc, 0, sizeof *sc);
	sc->profile = SIM_EEVDF618;
	sc->cpus = 2;
	sc->hz = 250;
	sc->hrtick = sc->rt_throttle = sc->fair_server = SIM_DEFAULT;
	sc->seed = SIM_SEED;
	sc->events_max = SIM_EVENTS_DEFAULT;
	sc->horizon = 1000000000;
	sc->n_levels = 3;
	for (int i = 0; i < SIM_LEVELS_MAX; i++) {
		sc->quantum[i] = i < 3 ? 10000000 << i : 0;
		sc->allot[i] = SIM_FOREVER;
	}
}

bool sim_parse(const char *text, size_t bytes, struct sim_scenario *out, struct sim_error *error)
{
	struct sim_parser p = {
		.at = text, .end = text + bytes, .line_start = text, .line = 1, .sc = out, .error = error};

	memset(error, 0, sizeof *error);
	set_defaults(out);
	sim_parse_next(&p);
	if (bytes > SIM_TEXT_BYTES_MAX)
		return sim_parse_fail(&p, p.token, "the scenario is longer than 64 KiB; shorten it", NULL);
	while (p.token.kind) {
		if (p.token.kind == ';')
			sim_parse_next(&p);
		else if (!read_statement(&p))
			return false;
	}
	return sim_parse_finish(&p);
}
