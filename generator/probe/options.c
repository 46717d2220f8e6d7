#include "probe/options.h"

#include <stdio.h>
#include <string.h>

#include "model/run.h"

enum { PASSES_LEAST = 5, PROBES_MAX = OPTIONS_PROBES_MAX };

static const struct verb {
	const char *name, *args, *help;
	enum probe_verb verb;
} verbs[] = {
	{"list", "", "the probes and how long they take", VERB_LIST},
	{"describe", "NAME...", "what a probe measures, how, and what it needs", VERB_DESCRIBE},
	{"run", "NAME...", "measure this machine and write a record", VERB_RUN},
	{"trace", "FILE", "run a scenario of the simulator here and record it; see trace --help", VERB_HELP},
};

enum option { OPTION_ALL, OPTION_QUICK, OPTION_PASSES, OPTION_OUT, OPTION_HELP };
static const struct option_info {
	enum option id;
	const char *name, *arg, *help;
} options[] = {
	{OPTION_ALL, "--all", NULL, "every probe"},
	{OPTION_QUICK, "--quick", NULL, "five passes with shorter windows: about three minutes for all"},
	{OPTION_PASSES, "--passes", "N", "passes to measure, 5 to 64 (6; 5 with --quick)"},
	{OPTION_OUT, "-o", "FILE", "where the record goes, - is standard output (data/local/, else here)"},
	{OPTION_HELP, "--help", NULL, "this text"},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

void options_help(const char *program)
{
	for (int i = 0; i < COUNT(verbs); i++)
		printf("%s %s %-8s %-8s %s\n", i ? "      " : "usage:", program, verbs[i].name, verbs[i].args,
			verbs[i].help);
	printf("\n");
	for (int i = 0; i < COUNT(options); i++)
		printf("  %-8s %-4s  %s\n", options[i].name, options[i].arg ? options[i].arg : "", options[i].help);
	printf("\nExit status: 0 a row is usable, 1 none is and something failed, 2 wrong usage, 3 the record could "
	       "not be\n"
	       "written, 4 everything was skipped, 130 interrupted (what finished is written).\n");
}

static bool bad_usage(const char *program, const char *what, const char *arg)
{
	fprintf(stderr, "%s: %s%s%s%s; see '%s --help'\n", program, what, arg ? " '" : "", arg ? arg : "",
		arg ? "'" : "", program);
	return false;
}

static bool add_probe(struct probe_options *o, const struct probe_info *p)
{
	for (int i = 0; i < o->n_probes; i++)
		if (o->probes[i] == p)
			return true;
	if (o->n_probes == PROBES_MAX)
		return false;
	o->probes[o->n_probes++] = p;
	return true;
}

static bool add_named(struct probe_options *o, const char *program, const char *name)
{
	const struct probe_info *p = probe_info_find(str_of(name));
	struct str names[PROBES_MAX];
	int n = 0;

	if (p)
		return add_probe(o, p);
	while (n < PROBES_MAX && probe_infos[n]) {
		names[n] = str_of(probe_infos[n]->name);
		n++;
	}
	struct str near = str_nearest(str_of(name), names, n);
	if (near.len)
		fprintf(stderr, "%s: no probe '%s'; did you mean '%.*s'?\n", program, name, STR_FMT(near));
	else
		fprintf(stderr, "%s: no probe '%s'; see '%s list'\n", program, name, program);
	return false;
}

static bool take_option(struct probe_options *o, const char *program, const struct option_info *opt, const char *value)
{
	int64_t n = 0;

	switch (opt->id) {
	case OPTION_ALL: o->all = true; return true;
	case OPTION_QUICK: o->quick = true; return true;
	case OPTION_OUT:
		o->out = value;
		return value && value[0] ? true : bad_usage(program, "-o needs a file name", NULL);
	case OPTION_HELP: o->verb = VERB_HELP; return true;
	case OPTION_PASSES:
		if (!str_int(str_of(value), &n) || n < PASSES_LEAST || n > RUN_PASSES_MAX)
			return bad_usage(program, "--passes takes a number from 5 to 64, not", value);
		o->passes = (int)n;
		return true;
	}
	return false;
}

/* `arg` is "--name", "--name=value" or "-o"; *value is NULL unless it holds one. */
static const struct option_info *find_option(const char *arg, const char **value)
{
	const char *equals = arg[1] == '-' ? strchr(arg, '=') : NULL;
	size_t len = equals ? (size_t)(equals - arg) : strlen(arg);

	*value = equals ? equals + 1 : NULL;
	for (int i = 0; i < COUNT(options); i++)
		if (strlen(options[i].name) == len && memcmp(options[i].name, arg, len) == 0)
			return &options[i];
	return NULL;
}

static bool check(struct probe_options *o, const char *program)
{
	if (o->verb == VERB_HELP || o->verb == VERB_LIST)
		return true;
	for (int i = 0; o->all && probe_infos[i]; i++)
		if (!add_probe(o, probe_infos[i]))
			return bad_usage(program, "too many probes", NULL);
	if (o->n_probes == 0)
		return bad_usage(program, o->verb == VERB_RUN ? "name a probe, or --all" : "name a probe", NULL);
	return true;
}

static bool take_words(struct probe_options *o, int argc, char **argv, const char *program)
{
	bool only_names = false;

	for (int i = 1; i < argc; i++) {
		const char *value, *arg = argv[i];
		if (only_names || arg[0] != '-' || !arg[1]) {
			if (i > 1 && !add_named(o, program, arg))
				return false;
			continue;
		}
		if (strcmp(arg, "--") == 0) {
			only_names = true;
			continue;
		}
		const struct option_info *opt = find_option(arg, &value);
		if (!opt)
			return bad_usage(program, "no option", arg);
		if (opt->arg && !value && i + 1 < argc)
			value = argv[++i];
		if (!opt->arg != !value)
			return bad_usage(
				program, opt->arg ? "a value is missing after" : "no value is taken by", opt->name);
		if (!take_option(o, program, opt, value))
			return false;
	}
	return true;
}

bool options_read(struct probe_options *o, int argc, char **argv, const char *program)
{
	*o = (struct probe_options){.verb = VERB_HELP};
	if (argc < 2)
		return bad_usage(program, "say what to do: list, describe, run or trace", NULL);
	if (argv[1][0] != '-') {
		int v = 0;
		while (v < COUNT(verbs) && strcmp(verbs[v].name, argv[1]) != 0)
			v++;
		if (v == COUNT(verbs))
			return bad_usage(program, "no command", argv[1]);
		o->verb = verbs[v].verb;
	}
	return take_words(o, argc, argv, program) && check(o, program);
}
