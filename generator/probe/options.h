/* The command line, read from one table that --help prints too. */
#ifndef RUNQ_PROBE_OPTIONS_H
#define RUNQ_PROBE_OPTIONS_H

#include "model/probe_info.h"

enum probe_verb { VERB_LIST, VERB_DESCRIBE, VERB_RUN, VERB_HELP };

enum { OPTIONS_PROBES_MAX = 64 };

struct probe_options {
	enum probe_verb verb;
	bool all, quick;
	int passes; /* 0: not given */
	const char *out; /* NULL: a name is made up */
	const struct probe_info
		*probes[OPTIONS_PROBES_MAX]; /* in the order given, each once; with --all in the registry's */
	int n_probes;
};

/* False after an error has been printed: wrong usage. */
bool options_read(struct probe_options *o, int argc, char **argv, const char *program);
void options_help(const char *program); /* to standard output */

#endif
