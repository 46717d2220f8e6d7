/* A command is one file, cmd_NAME.c, exporting one const struct; main.c only looks it up. The option table drives
 * parsing and --help, so that the two cannot disagree. */
#ifndef RUNQ_CLI_COMMAND_H
#define RUNQ_CLI_COMMAND_H

#include "base/str.h"

/* Exit status (DESIGN section 4); main returns the one its command returned. */
enum { CLI_FINE = 0, CLI_CONTENT = 1, CLI_USAGE = 2, CLI_ENVIRONMENT = 3, CLI_NOTHING_RAN = 4 };

enum { CLI_OPTIONS_MAX = 16 };

/* A name of one letter is a short option (-C), a longer one a long option (--db). Tables end with a NULL name. */
struct option {
	const char *name;
	const char *arg; /* placeholder of its value; NULL: a flag */
	const char *help;
};

struct args {
	struct arena *arena; /* for what lasts as long as the program */
	struct arena scratch; /* another one: copy it for what does not */
	const struct command *cmd;
	const struct option *options[CLI_OPTIONS_MAX]; /* the command's, then the global ones; NULL ends them */
	const char *values[CLI_OPTIONS_MAX]; /* by the same index; NULL: not given */
	char **words; /* what is no option, in order */
	int n_words;
};

/* A verb is the first word of a command that has several: `runs list`. */
struct verb {
	const char *name, *args, *summary;
	int (*exec)(struct args *args); /* its words begin after the verb */
};

struct command {
	const char *name, *usage, *summary; /* usage: what follows "runq NAME" */
	const struct option *options;
	const struct verb *verbs; /* ends with a NULL name; NULL when the command has no verbs */
	int (*exec)(struct args *args); /* unless it has verbs */
	int (*pass)(
		int argc, char **argv); /* a program of its own, which parses its own options: argv[0] is the command */
};

extern const struct command cmd_build, cmd_probe, cmd_import, cmd_runs, cmd_claims, cmd_class, cmd_check, cmd_db, cmd_sim, cmd_trace;

#endif
