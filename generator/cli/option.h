/* Options and help, from a command's table. Values point into argv. */
#ifndef RUNQ_CLI_OPTION_H
#define RUNQ_CLI_OPTION_H

#include <stdio.h>

#include "cli/command.h"

/* Reads argv[0..argc) (what follows the command's name). Returns -1 when the command shall run, else the exit status: --help was
 * printed (CLI_FINE), or what is wrong, with the nearest name (CLI_USAGE). */
int option_parse(struct args *args, int argc, char **argv);
/* The value of an option in the table (asking for any other is a bug: abort); NULL when not given, "" for a flag. */
const char *option_get(const struct args *args, const char *name);
void option_help(const struct command *cmd, FILE *out);
/* "runq NAME: …; see `runq NAME --help`" on stderr; returns CLI_USAGE. */
int option_misuse(const struct args *args, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* ", did you mean 'NAME'" or nothing, for messages about an unknown name. */
struct str option_hint(struct arena *a, const char *given, const struct str *names, ptrdiff_t n);

#endif
