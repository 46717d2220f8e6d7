/* runq: looks the command up in a table and lets it run. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/option.h"

/* In the order of help; ends with NULL. */
static const struct command *const commands[] = {
	&cmd_build,
	&cmd_probe,
	&cmd_import,
	&cmd_runs,
	&cmd_claims,
	&cmd_class,
	&cmd_check,
	&cmd_sim,
	&cmd_trace,
	&cmd_db,
	NULL,
};
/* What reads the options when no command is named. */
static const struct command no_command = {.name = "", .usage = "COMMAND …"};

static void print_commands(FILE *out)
{
	fprintf(out, "usage: runq [-C DIR] [--db FILE] COMMAND …\n\n"
		     "Measures this machine's scheduler and makes the course from the measurements.\n\n");
	for (int i = 0; commands[i]; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n`runq COMMAND --help` lists a command's options.\n");
}

static const struct command *find_command(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (strcmp(name, commands[i]->name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_command(struct arena *a, const char *given)
{
	ptrdiff_t n = 0;

	while (commands[n])
		n++;
	struct str *names = ARENA_NEW(a, struct str, n);
	for (ptrdiff_t i = 0; i < n; i++)
		names[i] = str_of(commands[i]->name);
	struct str hint = option_hint(a, given, names, n);
	fprintf(stderr, "runq: unknown command '%s'%.*s; see `runq --help`\n", given, STR_FMT(hint));
	return CLI_USAGE;
}

static int run_verb(struct args *args)
{
	const struct verb *verbs = args->cmd->verbs;
	struct str names[CLI_OPTIONS_MAX];
	ptrdiff_t n = 0;

	for (; n < CLI_OPTIONS_MAX && verbs[n].name; n++)
		names[n] = str_of(verbs[n].name);
	if (!args->n_words)
		return option_misuse(args, "what to do is missing");
	const char *given = *args->words;
	for (const struct verb *v = verbs; v->name; v++)
		if (strcmp(given, v->name) == 0) {
			args->words++;
			args->n_words--;
			return v->exec(args);
		}
	struct str hint = option_hint(args->arena, given, names, n);
	return option_misuse(args, "unknown '%s'%.*s", given, STR_FMT(hint));
}

/* The index of the command's name: options may stand before it, of which -C and --db take a value. */
static int command_at(int argc, char **argv)
{
	int i = 1;

	while (i < argc && argv[i][0] == '-')
		i += strcmp(argv[i], "-C") == 0 || strcmp(argv[i], "--db") == 0 ? 2 : 1;
	return i;
}

static int run_command(struct arena *a, struct arena scratch, int argc, char **argv)
{
	int at = command_at(argc, argv);
	bool help = at > 1 && at <= argc && strcmp(argv[at - 1], "--help") == 0;

	if (help) {
		print_commands(stdout);
		return CLI_FINE;
	}
	struct args args = {.arena = a, .scratch = scratch, .cmd = at < argc ? find_command(argv[at]) : &no_command};
	if (at >= argc) {
		int status = option_parse(&args, argc - 1, argv + 1);
		if (status < 0)
			print_commands(stderr);
		return CLI_USAGE;
	}
	if (!args.cmd) {
		/* An option nobody knows may have been what took the command's name for its value. */
		args.cmd = &no_command;
		return option_parse(&args, at - 1, argv + 1) == CLI_USAGE ? CLI_USAGE : unknown_command(a, argv[at]);
	}
	if (args.cmd->pass)
		return args.cmd->pass(argc - at, argv + at);
	/* What stood before the command's name is read with the rest. */
	char **rest = ARENA_NEW(a, char *, argc);
	int n = 0;
	for (int i = 1; i < argc; i++)
		if (i != at)
			rest[n++] = argv[i];
	int status = option_parse(&args, n, rest);
	if (status >= 0)
		return status;
	return args.cmd->verbs ? run_verb(&args) : args.cmd->exec(&args);
}

int main(int argc, char **argv)
{
	struct arena_block block, scratch_block;
	struct arena a = arena_new(&block, (ptrdiff_t)1 << 30);
	struct arena scratch = arena_new(&scratch_block, (ptrdiff_t)1 << 30);
	int status = run_command(&a, scratch, argc, argv);

	/* A full disk shows itself here. */
	if ((fflush(stdout) != 0 || ferror(stdout)) && status < CLI_ENVIRONMENT) {
		perror("runq: cannot write standard output");
		status = CLI_ENVIRONMENT;
	}
	arena_free(&scratch_block);
	arena_free(&block);
	return status;
}
